package dev.toolgate.core.call;

import org.jspecify.annotations.Nullable;

/**
 * Who makes a call and on whose behalf. A caller exists only once it has been identified, so every
 * call that reaches the pipeline has somebody to answer for it.
 *
 * @param principal who showed a key or token for the agent, for example {@code key:3f2a91c0}; never a secret
 */
public record Caller(
        TenantId tenant, AgentId agent, @Nullable SessionId session, WorkspaceId workspace, String principal) {

    /** An agent that speaks for itself. */
    public Caller(TenantId tenant, AgentId agent, @Nullable SessionId session, WorkspaceId workspace) {
        this(tenant, agent, session, workspace, agent.value());
    }

    /** The host program itself, when the runtime is embedded. */
    public static Caller local() {
        return new Caller(new TenantId("local"), new AgentId("local"), null, new WorkspaceId("local"));
    }

    /** The same caller, working elsewhere. */
    public Caller at(WorkspaceId newWorkspace) {
        return new Caller(tenant, agent, session, newWorkspace, principal);
    }

    /** The same caller, bound to a session as well. */
    public Caller in(SessionId newSession) {
        return new Caller(tenant, agent, newSession, workspace, principal);
    }
}
