package dev.toolgate.core.call;

import dev.toolgate.core.tool.ToolScope;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * One request to run a tool; immutable.
 *
 * @param toolName the canonical name or any alias
 * @param project the project the call belongs to, where the caller named one
 * @param bounds limits the caller asks for; they can only make the effective limits smaller
 * @param scope the tools a workflow may use; {@code null} means no restriction by scope
 */
public record Call(
        RequestId requestId,
        Caller caller,
        String toolName,
        ObjectNode arguments,
        @Nullable String project,
        Bounds bounds,
        @Nullable ToolScope scope,
        OutputListener listener,
        Cancellation cancellation) {

    /** A call with a fresh request id, no extra limits and nobody listening. */
    public static Call of(Caller caller, String toolName, ObjectNode arguments) {
        return new Call(
                new RequestId(UUID.randomUUID().toString()),
                caller,
                toolName,
                arguments,
                null,
                Bounds.none(),
                null,
                OutputListener.NOBODY,
                new Cancellation());
    }

    /** The same call under the request id its caller gave it. */
    public Call as(RequestId newRequestId) {
        return new Call(newRequestId, caller, toolName, arguments, project, bounds, scope, listener, cancellation);
    }

    /** The same call within narrower limits. */
    public Call within(Bounds newBounds) {
        return new Call(requestId, caller, toolName, arguments, project, newBounds, scope, listener, cancellation);
    }

    /** The same call, restricted to the tools of a workflow. */
    public Call scopedTo(@Nullable ToolScope newScope) {
        return new Call(requestId, caller, toolName, arguments, project, bounds, newScope, listener, cancellation);
    }

    /** The same call, with somebody listening to its output and able to cancel it. */
    public Call followedBy(OutputListener newListener, Cancellation newCancellation) {
        return new Call(requestId, caller, toolName, arguments, project, bounds, scope, newListener, newCancellation);
    }
}
