package dev.toolgate.core.tool;

import dev.toolgate.core.call.Output;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/**
 * A named operation that agents can call. One method does the work; permission, validation, approval, limits and
 * recording are the pipeline's.
 *
 * @param <A> the record its arguments are bound to
 */
public interface Tool<A> {

    /** What the tool is called, what it needs and what it accepts. */
    ToolSpec<A> spec();

    /** For a tool of an MCP server, its definition as the server lists it; empty for others. Must not be modified. */
    default Optional<ObjectNode> listedAs() {
        return Optional.empty();
    }

    /** Where it runs once a call is allowed. */
    default RunsAt runsAt() {
        return RunsAt.GATE;
    }

    /**
     * Does the work; may block. The thread is interrupted on cancellation or time-out; let {@link InterruptedException}
     * pass.
     *
     * @throws ToolFailure for expected failures
     */
    Output call(A arguments, ToolContext context) throws ToolFailure, InterruptedException;

    /**
     * The form of this tool that undoes a recorded change. It has the same name, capability and danger, so the same
     * rules decide about it; its arguments are its own. Empty if there is none.
     */
    default Optional<Tool<?>> undo() {
        return Optional.empty();
    }

    /** What the call would do, for approvers. Must have no side effects. */
    default Optional<String> preview(A arguments, ToolContext context) throws ToolFailure, InterruptedException {
        return Optional.empty();
    }
}
