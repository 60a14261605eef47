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

/** From a principal to a caller: the one place that makes callers of those who come in by a door, and says who may act as whom. */
public final class Callers {
    private static final int LONGEST_AGENT = 100;

    private final Policies sessions;

    public Callers(Policies sessions) {
        this.sessions = sessions;
    }

    /**
     * A principal as a caller, on record. This decides nothing: whether it may act as the agent is asked with
     * {@link #objection}.
     *
     * @param agent {@code null} for the principal's own agent, or else its name: the record needs somebody
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

    static Optional<Failure> objection(Principal principal, AgentId agent, Acting acting) {
        boolean may =
                switch (acting) {
                    case CALLING -> principal.mayActAs(agent);
                    case CHATTING -> principal.mayChatAs(agent);
                };
        return may
                ? Optional.empty()
                : Optional.of(Failure.of(
                        ErrorCode.PERMISSION_DENIED,
                        "'" + principal.name() + "' with role '"
                                + principal.role().wireName() + "' may not act for agent '" + agent + "'"));
    }

    /** The caller that a request is made as, whether the principal may act so or not. */
    Caller of(Principal principal, CallRequest request) {
        return of(
                principal,
                request.agent() == null ? agentIn(principal, request.session()) : request.agent(),
                request.session(),
                request.workspace() == null ? WorkspaceId.DEFAULT : request.workspace());
    }

    /** The agent of a principal that names none: its own, or else the session's, or else the principal's name. */
    AgentId agentIn(Principal principal, @Nullable SessionId session) {
        if (principal.agent() != null || session == null) {
            return ownAgent(principal);
        }
        @Nullable
        AgentId ofSession =
                sessions.find(principal.tenant(), session).map(Session::agent).orElse(null);
        return ofSession == null ? ownAgent(principal) : ofSession;
    }

    private static AgentId ownAgent(Principal principal) {
        String name = principal.name();
        return principal.agent() == null
                ? new AgentId(name.length() <= LONGEST_AGENT ? name : name.substring(0, LONGEST_AGENT))
                : principal.agent();
    }
}
