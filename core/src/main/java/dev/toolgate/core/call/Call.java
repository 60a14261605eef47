package dev.toolgate.core.call;

import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * One request to run a tool; immutable.
 *
 * @param idOrigin who chose the request id
 * @param toolName the canonical name or any alias
 * @param operation the caller's name for this use of the tool; for the audit record and for conditions
 * @param project the project the call belongs to, where the caller named one
 * @param bounds limits the caller sets; they can only narrow the effective limits
 * @param scope the tools a workflow may use; {@code null} means no restriction by scope
 * @param trust how much the agent may do without approval; {@code null} if trust does not apply
 * @param whenHeld what its caller does while it waits for approval
 * @param permitFor how long its caller, which runs the tool itself, may take until it reports the outcome;
 *     {@code null} if the gate runs the tool
 * @param context correlating ids
 */
public record Call(
        RequestId requestId,
        IdOrigin idOrigin,
        Caller caller,
        String toolName,
        String operation,
        ObjectNode arguments,
        @Nullable String project,
        Bounds bounds,
        @Nullable ToolScope scope,
        @Nullable TrustLevel trust,
        WhenHeld whenHeld,
        @Nullable Duration permitFor,
        CallContext context,
        CallListener listener,
        Cancellation cancellation) {
    /** The default operation. */
    public static final String EXECUTE = "execute";

    /** Who chose the request id. */
    public enum IdOrigin {
        /** The caller: a second call with the same id is a repetition and does not run again. */
        BY_CALLER,
        /** The gate: the id is unique. */
        BY_GATE
    }

    /** What a caller does while its call waits for approval. */
    public enum WhenHeld {
        /** It waits for the outcome, up to the time-out. */
        WAIT,
        /** It returns at once and collects the outcome later. */
        RETURN,
        /** It waits briefly, then returns and collects the outcome later; the approval request stays open. */
        WAIT_THEN_RETURN,
        /** It waits and cannot collect the outcome later, so the call is withdrawn if the wait ends. */
        WAIT_OR_WITHDRAW
    }

    /** A call with a generated request id, no extra limits and no listener. */
    public static Call of(Caller caller, String toolName, ObjectNode arguments) {
        return new Call(
                RequestId.generated(),
                IdOrigin.BY_GATE,
                caller,
                toolName,
                EXECUTE,
                arguments,
                null,
                Bounds.none(),
                null,
                null,
                WhenHeld.WAIT,
                null,
                CallContext.NONE,
                CallListener.NONE,
                new Cancellation());
    }

    /** The same call under the request id its caller gave it. */
    public Call as(RequestId newRequestId) {
        return copy(draft -> {
            draft.requestId = newRequestId;
            draft.idOrigin = IdOrigin.BY_CALLER;
        });
    }

    /** The same call with this operation and project. */
    public Call purpose(String newOperation, @Nullable String newProject) {
        return copy(draft -> {
            draft.operation = newOperation;
            draft.project = newProject;
        });
    }

    /** The same call by another caller. */
    public Call by(Caller newCaller) {
        return copy(draft -> draft.caller = newCaller);
    }

    /** The same call within narrower limits. */
    public Call within(Bounds newBounds) {
        return copy(draft -> draft.bounds = newBounds);
    }

    /** The same call, restricted to the tools of a workflow. */
    public Call scopedTo(@Nullable ToolScope newScope) {
        return copy(draft -> draft.scope = newScope);
    }

    /** The same call with a listener and a cancellation. */
    public Call followedBy(CallListener newListener, Cancellation newCancellation) {
        return copy(draft -> {
            draft.listener = newListener;
            draft.cancellation = newCancellation;
        });
    }

    /** The same call at this trust level. */
    public Call trusting(@Nullable TrustLevel newTrust) {
        return copy(draft -> draft.trust = newTrust);
    }

    /** The same call with this behaviour while held. */
    public Call held(WhenHeld newWhenHeld) {
        return copy(draft -> draft.whenHeld = newWhenHeld);
    }

    /** The same call, whose caller runs the tool itself and reports the outcome within this time. */
    public Call permittedFor(@Nullable Duration newPermitFor) {
        return copy(draft -> draft.permitFor = newPermitFor);
    }

    /** The same call with these correlating ids. */
    public Call from(CallContext newContext) {
        return copy(draft -> draft.context = newContext);
    }

    private Call copy(Consumer<Draft> change) {
        Draft draft = new Draft(this);
        change.accept(draft);
        return draft.call();
    }

    /** A mutable copy, so that the methods above name only what they change. */
    private static final class Draft {
        private RequestId requestId;
        private IdOrigin idOrigin;
        private Caller caller;
        private final String toolName;
        private String operation;
        private final ObjectNode arguments;
        private @Nullable String project;
        private Bounds bounds;
        private @Nullable ToolScope scope;
        private @Nullable TrustLevel trust;
        private WhenHeld whenHeld;
        private @Nullable Duration permitFor;
        private CallContext context;
        private CallListener listener;
        private Cancellation cancellation;

        Draft(Call call) {
            requestId = call.requestId;
            idOrigin = call.idOrigin;
            caller = call.caller;
            toolName = call.toolName;
            operation = call.operation;
            arguments = call.arguments;
            project = call.project;
            bounds = call.bounds;
            scope = call.scope;
            trust = call.trust;
            whenHeld = call.whenHeld;
            permitFor = call.permitFor;
            context = call.context;
            listener = call.listener;
            cancellation = call.cancellation;
        }

        Call call() {
            return new Call(
                    requestId,
                    idOrigin,
                    caller,
                    toolName,
                    operation,
                    arguments,
                    project,
                    bounds,
                    scope,
                    trust,
                    whenHeld,
                    permitFor,
                    context,
                    listener,
                    cancellation);
        }
    }
}
