package dev.toolgate.core.decision;

import dev.toolgate.core.call.Call;
import dev.toolgate.core.tool.ToolSpec;
import java.time.Instant;

/** A condition a call must meet for a grant to cover it. */
public interface Condition {

    /** The condition as a person wrote it. */
    String text();

    /**
     * Evaluates the condition.
     *
     * @throws RuntimeException if it cannot be evaluated, which counts as false
     */
    boolean holds(Call call, ToolSpec<?> tool, Instant now);
}
