package dev.toolgate.server.undo;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.CallContext;
import dev.toolgate.core.call.Caller;
import dev.toolgate.core.call.SessionId;
import dev.toolgate.core.call.WorkspaceId;
import dev.toolgate.core.identity.Principal;
import dev.toolgate.core.json.Json;
import dev.toolgate.core.policy.Policies;
import dev.toolgate.core.undo.Subject;
import dev.toolgate.server.gate.CallRequest;
import dev.toolgate.server.gate.Callers;
import dev.toolgate.server.undo.RecordedChanges.Undoable;
import dev.toolgate.store.audit.record.AuditRecord;
import java.time.Clock;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * The call that undoes a recorded change: as the agent of the record, in the record's session if that is still active,
 * otherwise without a session.
 */
public final class UndoCall {
    /** The operation in its record. */
    public static final String OPERATION = "undo";

    private final Policies sessions;
    private final Clock clock;

    public UndoCall(Policies sessions, Clock clock) {
        this.sessions = sessions;
        this.clock = clock;
    }

    /** The caller of the undo. */
    public Caller caller(Principal principal, AuditRecord record) {
        AgentId agent = new AgentId(record.call().agentId());
        WorkspaceId workspace = new WorkspaceId(record.call().workspaceId());
        if (record.call().sessionId() != null) {
            SessionId session = new SessionId(record.call().sessionId());
            Caller inSession = Callers.of(principal, agent, session, workspace);
            boolean usable = sessions.find(principal.tenant(), session)
                    .filter(found -> found.refusal(inSession, clock.instant()).isEmpty())
                    .isPresent();
            if (usable) {
                return inSession;
            }
        }
        return Callers.of(principal, agent, null, workspace);
    }

    /**
     * The request for the gate.
     *
     * @param reason why, as given in the request
     */
    public CallRequest request(Caller caller, AuditRecord record, Undoable change, @Nullable String reason) {
        ObjectNode arguments = named(change).put("kept", change.uri());
        if (reason != null) {
            arguments.put("reason", reason);
        }
        return as(caller, CallRequest.of(change.tool(), arguments))
                .purpose(OPERATION, record.call().projectId())
                .from(CallContext.NONE.undoing(Long.toString(record.id())));
    }

    /** A request to read the target, to check whether its content may be shown. */
    CallRequest reading(Caller caller, Undoable change) {
        return as(caller, CallRequest.of(change.change().subject().readingTool(), named(change)));
    }

    private static CallRequest as(Caller caller, CallRequest request) {
        return request.as(caller.agent(), CallRequest.Acting.UNDOING).in(caller.session(), caller.workspace());
    }

    private static ObjectNode named(Undoable change) {
        Subject subject = change.change().subject();
        return Json.MAPPER
                .createObjectNode()
                .put(subject.argument(), change.change().target());
    }
}
