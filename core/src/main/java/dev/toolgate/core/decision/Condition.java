package dev.toolgate.core.decision;

import dev.toolgate.core.call.Call;
import dev.toolgate.core.tool.ToolSpec;
import java.time.Instant;

/** What must be true of a call for a grant to cover it. */
public interface Condition {

    /** The condition as a person wrote it. */
    String text();

    /**
     * Whether it is true of this call.
     *
     * @throws RuntimeException if that cannot be found out, which counts as no
     */
    boolean holds(Call call, ToolSpec<?> tool, Instant now);
}
