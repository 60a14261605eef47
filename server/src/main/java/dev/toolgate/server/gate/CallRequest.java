package dev.toolgate.server.gate;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.Bounds;
import dev.toolgate.core.call.Call;
import dev.toolgate.core.call.CallContext;
import dev.toolgate.core.call.CallListener;
import dev.toolgate.core.call.Caller;
import dev.toolgate.core.call.Cancellation;
import dev.toolgate.core.call.RequestId;
import dev.toolgate.core.call.SessionId;
import dev.toolgate.core.call.ToolScope;
import dev.toolgate.core.call.TrustLevel;
import dev.toolgate.core.call.WorkspaceId;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * A call as a door decoded it; immutable. The gate decides whether the principal may act as the agent and who is
 * recorded as the caller.
 *
 * @param agent the agent to act as; {@code null} for the principal's own agent, or else the session's
 * @param acting whether the principal calls the tool itself, chats with a model that does, or undoes a change
 * @param workspace {@code null} for the session's workspace
 * @param requestId chosen by the caller; {@code null} for a new one
 * @param permitFor how long the caller, which runs the tool itself, may take until it reports the outcome; {@code null}
 *     if the gate runs the tool
 * @param traceparent the W3C header that came with the request, if any
 */
public record CallRequest(
        @Nullable AgentId agent,
        Acting acting,
        @Nullable SessionId session,
        @Nullable WorkspaceId workspace,
        @Nullable RequestId requestId,
        String toolName,
        ObjectNode arguments,
        String operation,
        @Nullable String project,
        @Nullable ToolScope scope,
        @Nullable TrustLevel trust,
        Call.WhenHeld whenHeld,
        @Nullable Duration permitFor,
        CallContext context,
        @Nullable String traceparent,
        CallListener listener,
        Cancellation cancellation) {

    /** How a principal acts as an agent. */
    public enum Acting {
        /** It uses a tool. */
        CALLING,
        /** It chats with a model that uses tools. */
        CHATTING,
        /** It undoes a recorded change. */
        UNDOING
    }

    /** A request to use a tool, with defaults for everything else. */
    public static CallRequest of(String toolName, ObjectNode arguments) {
        return new CallRequest(
                null,
                Acting.CALLING,
                null,
                null,
                null,
                toolName,
                arguments,
                Call.EXECUTE,
                null,
                null,
                null,
                Call.WhenHeld.WAIT,
                null,
                CallContext.NONE,
                null,
                CallListener.NONE,
                new Cancellation());
    }

    /** The same request, as this agent. */
    public CallRequest as(AgentId newAgent, Acting newActing) {
        return copy(draft -> {
            draft.agent = newAgent;
            draft.acting = newActing;
        });
    }

    /** The same request, in a session. */
    public CallRequest in(@Nullable SessionId newSession, @Nullable WorkspaceId newWorkspace) {
        if (Objects.equals(session, newSession) && Objects.equals(workspace, newWorkspace)) {
            return this;
        }
        return copy(draft -> {
            draft.session = newSession;
            draft.workspace = newWorkspace;
        });
    }

    /** The same request with the caller's request id, if it has one. */
    public CallRequest named(@Nullable RequestId newRequestId) {
        return copy(draft -> draft.requestId = newRequestId);
    }

    /** The same request for another tool. */
    public CallRequest using(String newTool, ObjectNode newArguments) {
        return copy(draft -> {
            draft.toolName = newTool;
            draft.arguments = newArguments;
        });
    }

    /** The same request, with the caller's operation and project. */
    public CallRequest purpose(String newOperation, @Nullable String newProject) {
        return copy(draft -> {
            draft.operation = newOperation;
            draft.project = newProject;
        });
    }

    /** The same request, restricted to the tools of a workflow. */
    public CallRequest scopedTo(@Nullable ToolScope newScope) {
        return copy(draft -> draft.scope = newScope);
    }

    /** The same request with a trust level. */
    public CallRequest trusting(@Nullable TrustLevel newTrust) {
        return copy(draft -> draft.trust = newTrust);
    }

    /** The same request, with what the caller does if an approval is needed. */
    public CallRequest held(Call.WhenHeld newWhenHeld) {
        return copy(draft -> draft.whenHeld = newWhenHeld);
    }

    /** The same request, for a permit: the caller runs the tool itself and reports the outcome within this time. */
    public CallRequest permittedFor(Duration newPermitFor) {
        return copy(draft -> draft.permitFor = newPermitFor);
    }

    /** The same request, with the ids of its context. */
    public CallRequest from(CallContext newContext) {
        return copy(draft -> draft.context = newContext);
    }

    /** The same request, as part of a trace, if any. */
    public CallRequest tracedBy(@Nullable String newTraceparent) {
        return Objects.equals(traceparent, newTraceparent) ? this : copy(draft -> draft.traceparent = newTraceparent);
    }

    /** The same request, with a listener for its output and a way to cancel it. */
    public CallRequest followedBy(CallListener newListener, Cancellation newCancellation) {
        return copy(draft -> {
            draft.listener = newListener;
            draft.cancellation = newCancellation;
        });
    }

    /** The call of this request. */
    Call call(Caller caller) {
        return requestId == null ? attempt(caller) : call(caller, requestId, Call.IdOrigin.BY_CALLER);
    }

    /**
     * The call with a generated request id, for an attempt that is refused: it must not use up a request id of another
     * agent.
     */
    Call attempt(Caller caller) {
        return call(caller, RequestId.generated(), Call.IdOrigin.BY_GATE);
    }

    // In one step: a copy for each part, and an unused id, took 2% of the gate's time.
    private Call call(Caller caller, RequestId id, Call.IdOrigin origin) {
        return new Call(
                id,
                origin,
                caller,
                toolName,
                operation,
                arguments,
                project,
                Bounds.none(),
                scope,
                trust,
                whenHeld,
                permitFor,
                context,
                listener,
                cancellation);
    }

    private CallRequest copy(Consumer<Draft> change) {
        Draft draft = new Draft(this);
        change.accept(draft);
        return draft.request();
    }

    /** A mutable copy, so that a changed copy need not repeat every component. */
    private static final class Draft {
        private @Nullable AgentId agent;
        private Acting acting;
        private @Nullable SessionId session;
        private @Nullable WorkspaceId workspace;
        private @Nullable RequestId requestId;
        private String toolName;
        private ObjectNode arguments;
        private String operation;
        private @Nullable String project;
        private @Nullable ToolScope scope;
        private @Nullable TrustLevel trust;
        private Call.WhenHeld whenHeld;
        private @Nullable Duration permitFor;
        private CallContext context;
        private @Nullable String traceparent;
        private CallListener listener;
        private Cancellation cancellation;

        Draft(CallRequest request) {
            agent = request.agent;
            acting = request.acting;
            session = request.session;
            workspace = request.workspace;
            requestId = request.requestId;
            toolName = request.toolName;
            arguments = request.arguments;
            operation = request.operation;
            project = request.project;
            scope = request.scope;
            trust = request.trust;
            whenHeld = request.whenHeld;
            permitFor = request.permitFor;
            context = request.context;
            traceparent = request.traceparent;
            listener = request.listener;
            cancellation = request.cancellation;
        }

        CallRequest request() {
            return new CallRequest(
                    agent,
                    acting,
                    session,
                    workspace,
                    requestId,
                    toolName,
                    arguments,
                    operation,
                    project,
                    scope,
                    trust,
                    whenHeld,
                    permitFor,
                    context,
                    traceparent,
                    listener,
                    cancellation);
        }
    }
}
