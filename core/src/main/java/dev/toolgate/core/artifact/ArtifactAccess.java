package dev.toolgate.core.artifact;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.Caller;
import dev.toolgate.core.call.Failure;
import dev.toolgate.core.call.SessionId;
import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.decision.Grants;
import dev.toolgate.core.policy.Policies;
import dev.toolgate.core.policy.Session;
import java.time.Clock;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;

/** Decides which artifacts an agent may see: its own, those of its session and, with a grant, those of other agents. */
public final class ArtifactAccess {
    /** The name used in place of a tool's to grant an agent access to the artifacts of others. */
    public static final String GRANT = "artifacts";

    private final Grants grants;
    private final Policies sessions;
    private final Clock clock;

    public ArtifactAccess(Grants grants, Policies sessions, Clock clock) {
        this.grants = grants;
        this.sessions = sessions;
        this.clock = clock;
    }

    /** What a caller may see. Whether it may use the session it names must be checked before. */
    public ArtifactVisibility of(Caller caller) {
        return isGranted(caller.tenant(), caller.agent())
                ? new ArtifactVisibility.Attributed()
                : new ArtifactVisibility.MadeBy(
                        Set.of(caller.agent()),
                        caller.session() == null ? Set.<SessionId>of() : Set.of(caller.session()));
    }

    /** Why a caller cannot name this session; empty if it can, or names none. */
    public Optional<Failure> refusal(Caller caller) {
        return caller.session() == null
                ? Optional.empty()
                : sessions.find(caller.tenant(), caller.session())
                        .map(session -> session.refusal(caller, clock.instant()))
                        .orElseGet(() -> Optional.of(Session.notFound(String.valueOf(caller.session()))));
    }

    /** Why a principal that is not an agent cannot name this session; empty if the session exists. */
    public Optional<Failure> refusal(TenantId tenant, SessionId session) {
        return sessions.find(tenant, session).isPresent()
                ? Optional.empty()
                : Optional.of(Session.notFound(session.value()));
    }

    /** Why a principal acting for these agents cannot name this session; empty if it belongs to one of them. */
    public Optional<Failure> refusal(TenantId tenant, SessionId session, Set<AgentId> agents) {
        return sessions.find(tenant, session)
                        .filter(found -> found.agent() != null && agents.contains(found.agent()))
                        .isPresent()
                ? Optional.empty()
                : Optional.of(Session.notFound(session.value()));
    }

    // Conditions, use counts and approvals apply to tool calls only; a grant with any of them does not open artifacts.
    private boolean isGranted(TenantId tenant, AgentId agent) {
        Instant now = clock.instant();
        return grants.find(tenant, agent, GRANT).stream()
                .anyMatch(grant -> grant.condition() == null
                        && grant.uses() == null
                        && grant.approval() == Grants.Approval.NOT_NEEDED
                        && (grant.expiresAt() == null || now.isBefore(grant.expiresAt())));
    }
}
