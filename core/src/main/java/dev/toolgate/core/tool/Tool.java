package dev.toolgate.core.tool;

import dev.toolgate.core.call.Output;
import java.util.Optional;

/**
 * A named operation that agents can call. One file, one method that does the work; everything around
 * it (permission, validation, approval, limits, recording) is the pipeline's business.
 *
 * @param <A> the record its arguments are bound to
 */
public interface Tool<A> {

    /** What the tool is called, what it needs and what it accepts. */
    ToolSpec<A> spec();

    /**
     * Does the work. Blocking is fine. The thread is interrupted when the call is cancelled or its
     * time is up; let {@link InterruptedException} pass.
     *
     * @throws ToolFailure for everything that can be expected to go wrong
     */
    Output call(A arguments, ToolContext context) throws ToolFailure, InterruptedException;

    /** What the call would do, for the person who is asked to approve it. Must change nothing. */
    default Optional<String> preview(A arguments, ToolContext context) throws ToolFailure, InterruptedException {
        return Optional.empty();
    }
}
