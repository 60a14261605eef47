package dev.toolgate.core.call;

import dev.toolgate.core.tool.ToolScope;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * One request to run a tool; immutable.
 *
 * @param naming who chose the request id
 * @param toolName the canonical name or any alias
 * @param operation what the caller calls this use of the tool; for the record and for conditions
 * @param project the project the call belongs to, where the caller named one
 * @param bounds limits the caller asks for; they can only make the effective limits smaller
 * @param scope the tools a workflow may use; {@code null} means no restriction by scope
 * @param trust how far the agent may go without being asked about; {@code null} where trust plays no part
 * @param whenHeld what its caller does if a person must be asked first
 */
public record Call(
        RequestId requestId,
        Naming naming,
        Caller caller,
        String toolName,
        String operation,
        ObjectNode arguments,
        @Nullable String project,
        Bounds bounds,
        @Nullable ToolScope scope,
        @Nullable TrustLevel trust,
        WhenHeld whenHeld,
        CallListener listener,
        Cancellation cancellation) {
    /** The operation of a caller that names none. */
    public static final String EXECUTE = "execute";

    /** Who chose the request id. */
    public enum Naming {
        /** The caller, so a second call with the same id is the same call and does not run again. */
        BY_CALLER,
        /** The gate, so no other call has it. */
        BY_GATE
    }

    /** What a caller does while a person is asked. */
    public enum WhenHeld {
        /** It waits for the outcome, as long as its patience lasts. */
        WAIT,
        /** It goes away, and comes back for the outcome later. */
        RETURN,
        /** It waits and cannot come back: without it the call is not wanted any more, whatever is answered. */
        WAIT_OR_WITHDRAW
    }

    /** A call with a fresh request id, no extra limits and nobody listening. */
    public static Call of(Caller caller, String toolName, ObjectNode arguments) {
        return new Call(
                new RequestId(UUID.randomUUID().toString()),
                Naming.BY_GATE,
                caller,
                toolName,
                EXECUTE,
                arguments,
                null,
                Bounds.none(),
                null,
                null,
                WhenHeld.WAIT,
                CallListener.NOBODY,
                new Cancellation());
    }

    /** The same call under the request id its caller gave it. */
    public Call as(RequestId newRequestId) {
        return new Call(
                newRequestId,
                Naming.BY_CALLER,
                caller,
                toolName,
                operation,
                arguments,
                project,
                bounds,
                scope,
                trust,
                whenHeld,
                listener,
                cancellation);
    }

    /** The same call, with what its caller says it is for. */
    public Call purpose(String newOperation, @Nullable String newProject) {
        return new Call(
                requestId,
                naming,
                caller,
                toolName,
                newOperation,
                arguments,
                newProject,
                bounds,
                scope,
                trust,
                whenHeld,
                listener,
                cancellation);
    }

    /** The same call of another caller. */
    public Call by(Caller newCaller) {
        return new Call(
                requestId,
                naming,
                newCaller,
                toolName,
                operation,
                arguments,
                project,
                bounds,
                scope,
                trust,
                whenHeld,
                listener,
                cancellation);
    }

    /** The same call within narrower limits. */
    public Call within(Bounds newBounds) {
        return new Call(
                requestId,
                naming,
                caller,
                toolName,
                operation,
                arguments,
                project,
                newBounds,
                scope,
                trust,
                whenHeld,
                listener,
                cancellation);
    }

    /** The same call, restricted to the tools of a workflow. */
    public Call scopedTo(@Nullable ToolScope newScope) {
        return new Call(
                requestId,
                naming,
                caller,
                toolName,
                operation,
                arguments,
                project,
                bounds,
                newScope,
                trust,
                whenHeld,
                listener,
                cancellation);
    }

    /** The same call, with somebody listening to its output and able to cancel it. */
    public Call followedBy(CallListener newListener, Cancellation newCancellation) {
        return new Call(
                requestId,
                naming,
                caller,
                toolName,
                operation,
                arguments,
                project,
                bounds,
                scope,
                trust,
                whenHeld,
                newListener,
                newCancellation);
    }

    /** The same call of an agent that is trusted so far. */
    public Call trusting(@Nullable TrustLevel newTrust) {
        return new Call(
                requestId,
                naming,
                caller,
                toolName,
                operation,
                arguments,
                project,
                bounds,
                scope,
                newTrust,
                whenHeld,
                listener,
                cancellation);
    }

    /** The same call of a caller that does this if a person must be asked. */
    public Call held(WhenHeld newWhenHeld) {
        return new Call(
                requestId,
                naming,
                caller,
                toolName,
                operation,
                arguments,
                project,
                bounds,
                scope,
                trust,
                newWhenHeld,
                listener,
                cancellation);
    }
}
