package dev.toolgate.core.call;

import java.util.UUID;
import java.util.function.Consumer;
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
 * @param context the ids under which its caller and others know it
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
        CallContext context,
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
                CallContext.NONE,
                CallListener.NOBODY,
                new Cancellation());
    }

    /** The same call under the request id its caller gave it. */
    public Call as(RequestId newRequestId) {
        return copy(draft -> {
            draft.requestId = newRequestId;
            draft.naming = Naming.BY_CALLER;
        });
    }

    /** The same call, with what its caller says it is for. */
    public Call purpose(String newOperation, @Nullable String newProject) {
        return copy(draft -> {
            draft.operation = newOperation;
            draft.project = newProject;
        });
    }

    /** The same call of another caller. */
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

    /** The same call, with somebody listening to its output and able to cancel it. */
    public Call followedBy(CallListener newListener, Cancellation newCancellation) {
        return copy(draft -> {
            draft.listener = newListener;
            draft.cancellation = newCancellation;
        });
    }

    /** The same call of an agent that is trusted so far. */
    public Call trusting(@Nullable TrustLevel newTrust) {
        return copy(draft -> draft.trust = newTrust);
    }

    /** The same call of a caller that does this if a person must be asked. */
    public Call held(WhenHeld newWhenHeld) {
        return copy(draft -> draft.whenHeld = newWhenHeld);
    }

    /** The same call, known by these ids. */
    public Call from(CallContext newContext) {
        return copy(draft -> draft.context = newContext);
    }

    private Call copy(Consumer<Draft> change) {
        Draft draft = new Draft(this);
        change.accept(draft);
        return draft.call();
    }

    /** A call that can be changed, so that no copy has to name, or can forget, what stays as it is. */
    private static final class Draft {
        private RequestId requestId;
        private Naming naming;
        private Caller caller;
        private final String toolName;
        private String operation;
        private final ObjectNode arguments;
        private @Nullable String project;
        private Bounds bounds;
        private @Nullable ToolScope scope;
        private @Nullable TrustLevel trust;
        private WhenHeld whenHeld;
        private CallContext context;
        private CallListener listener;
        private Cancellation cancellation;

        Draft(Call call) {
            requestId = call.requestId;
            naming = call.naming;
            caller = call.caller;
            toolName = call.toolName;
            operation = call.operation;
            arguments = call.arguments;
            project = call.project;
            bounds = call.bounds;
            scope = call.scope;
            trust = call.trust;
            whenHeld = call.whenHeld;
            context = call.context;
            listener = call.listener;
            cancellation = call.cancellation;
        }

        Call call() {
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
                    context,
                    listener,
                    cancellation);
        }
    }
}
