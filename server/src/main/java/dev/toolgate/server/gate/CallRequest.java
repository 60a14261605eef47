package dev.toolgate.server.gate;

import dev.toolgate.core.call.AgentId;
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
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * A call as a door read it: what is to be done and as whom. Whether the principal may act so, and who is on record for it, is
 * the gate's to decide; immutable.
 *
 * @param agent as which agent; {@code null} for the principal's own agent, or else that of the session
 * @param acting whether the principal calls the tool itself or chats with a model that does
 * @param workspace {@code null} for that of the session
 * @param requestId chosen by the caller; {@code null} for a new one
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
        CallContext context,
        @Nullable String traceparent,
        CallListener listener,
        Cancellation cancellation) {

    /** How a principal acts as an agent. */
    public enum Acting {
        /** It uses a tool. */
        CALLING,
        /** It has a conversation in which a model uses tools. */
        CHATTING
    }

    /** A request to use a tool, with nothing else said. */
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
                CallContext.NONE,
                null,
                CallListener.NOBODY,
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
        return copy(draft -> {
            draft.session = newSession;
            draft.workspace = newWorkspace;
        });
    }

    /** The same request under the id that the caller chose, if it chose one. */
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

    /** The same request, with what the caller says it is for. */
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

    /** The same request of an agent that is trusted so far. */
    public CallRequest trusting(@Nullable TrustLevel newTrust) {
        return copy(draft -> draft.trust = newTrust);
    }

    /** The same request of a caller that does this if a person must be asked. */
    public CallRequest held(Call.WhenHeld newWhenHeld) {
        return copy(draft -> draft.whenHeld = newWhenHeld);
    }

    /** The same request, known by these ids. */
    public CallRequest from(CallContext newContext) {
        return copy(draft -> draft.context = newContext);
    }

    /** The same request, as part of a trace. */
    public CallRequest tracedBy(@Nullable String newTraceparent) {
        return copy(draft -> draft.traceparent = newTraceparent);
    }

    /** The same request, with somebody listening to its output and able to cancel it. */
    public CallRequest followedBy(CallListener newListener, Cancellation newCancellation) {
        return copy(draft -> {
            draft.listener = newListener;
            draft.cancellation = newCancellation;
        });
    }

    /** The call that is made of it. */
    Call call(Caller caller) {
        Call unnamed = attempt(caller);
        return requestId == null ? unnamed : unnamed.as(requestId);
    }

    /** The same call, refused: under an id of its own, so that it cannot use up the one that belongs to another. */
    Call attempt(Caller caller) {
        return Call.of(caller, toolName, arguments)
                .purpose(operation, project)
                .scopedTo(scope)
                .trusting(trust)
                .held(whenHeld)
                .from(context)
                .followedBy(listener, cancellation);
    }

    private CallRequest copy(Consumer<Draft> change) {
        Draft draft = new Draft(this);
        change.accept(draft);
        return draft.request();
    }

    /** A request that can be changed, so that no copy has to name, or can forget, what stays as it is. */
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
                    context,
                    traceparent,
                    listener,
                    cancellation);
        }
    }
}
