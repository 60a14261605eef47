package dev.toolgate.tools.database;

import dev.toolgate.core.tool.ToolFailure;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Receives the rows of a result, one by one. */
interface RowReader {
    /** Called first, with the column names. */
    void columns(List<String> names) throws ToolFailure;

    /** The next row; returns whether more are wanted. */
    Next row(List<@Nullable Object> cells) throws ToolFailure;

    /** Whether to continue. */
    enum Next {
        MORE,
        ENOUGH
    }
}
