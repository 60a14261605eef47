package dev.toolgate.tools.database;

import dev.toolgate.core.tool.ToolFailure;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Takes the rows of an answer, one by one. */
interface RowReader {
    /** Comes first. */
    void columns(List<String> names) throws ToolFailure;

    /** The next row; what it says is whether another is wanted. */
    Next row(List<@Nullable Object> cells) throws ToolFailure;

    /** Whether to go on. */
    enum Next {
        MORE,
        ENOUGH
    }
}
