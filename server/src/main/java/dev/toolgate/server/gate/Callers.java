package dev.toolgate.server.gate;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.Caller;
import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.call.Failure;
import dev.toolgate.core.call.SessionId;
import dev.toolgate.core.call.WorkspaceId;
import dev.toolgate.core.identity.Principal;
import dev.toolgate.core.policy.Policies;
import dev.toolgate.core.policy.Session;
import dev.toolgate.server.gate.CallRequest.Acting;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Maps principals to callers, and decides who may act as which agent. The only place that makes callers from
 * principals.
 */
public final class Callers {
    private static final int MAX_AGENT_ID = 100;

    private final Policies sessions;

    public Callers(Policies sessions) {
        this.sessions = sessions;
    }

    /**
     * The caller for a principal, as recorded. This checks nothing; {@link #objection} decides whether the principal
     * may act as the agent.
     *
     * @param agent {@code null} for the principal's own agent, or else the principal's name, because a record needs an
     *     agent
     */
    public static Caller of(
            Principal principal, @Nullable AgentId agent, @Nullable SessionId session, WorkspaceId workspace) {
        return new Caller(
                principal.tenant(), agent == null ? ownAgent(principal) : agent, session, workspace, principal.name());
    }

    /** Why a principal may not use tools as this agent; empty if it may. */
    public static Optional<Failure> objection(Principal principal, AgentId agent) {
        return objection(principal, agent, Acting.CALLING);
    }

    /** The same, for a way of acting. */
    public static Optional<Failure> objection(Principal principal, AgentId agent, Acting acting) {
        boolean may =
                switch (acting) {
                    case CALLING -> principal.mayActAs(agent);
                    case CHATTING -> principal.mayChatAs(agent);
                    case UNDOING -> principal.mayUndoAs(agent);
                };
        return may
                ? Optional.empty()
                : Optional.of(Failure.of(
                        ErrorCode.PERMISSION_DENIED,
                        "'" + principal.name() + "' with role '"
                                + principal.role().wireName() + "' may not act for agent '" + agent + "'"));
    }

    /** The caller of a request, whether or not the principal may act as it. */
    Identified.Known of(Principal principal, CallRequest request) {
        Session session = request.agent() == null ? sessionOfAgent(principal, request.session()) : null;
        AgentId agent = request.agent() == null ? agentIn(principal, session) : request.agent();
        WorkspaceId workspace = request.workspace() == null ? WorkspaceId.DEFAULT : request.workspace();
        return new Identified.Known(of(principal, agent, request.session(), workspace), session);
    }

    /** The agent of a principal that names none: its own, or else the session's, or else the principal's name. */
    AgentId agentIn(Principal principal, @Nullable SessionId session) {
        return agentIn(principal, sessionOfAgent(principal, session));
    }

    /** The session that determines the calling agent; {@code null} if the principal does. */
    private @Nullable Session sessionOfAgent(Principal principal, @Nullable SessionId session) {
        return principal.agent() != null || session == null
                ? null
                : sessions.find(principal.tenant(), session).orElse(null);
    }

    private static AgentId agentIn(Principal principal, @Nullable Session session) {
        AgentId ofSession = session == null ? null : session.agent();
        return ofSession == null ? ownAgent(principal) : ofSession;
    }

    private static AgentId ownAgent(Principal principal) {
        String name = principal.name();
        return principal.agent() == null
                ? new AgentId(name.length() <= MAX_AGENT_ID ? name : name.substring(0, MAX_AGENT_ID))
                : principal.agent();
    }
}
