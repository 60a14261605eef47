package dev.toolgate.core.call;

import org.jspecify.annotations.Nullable;

/**
 * Who makes a call and on whose behalf. A caller exists only once it is authenticated, so every call in the pipeline is
 * attributable.
 *
 * @param principal the key or token used, for example {@code key:3f2a91c0}; never a secret
 */
public record Caller(
        TenantId tenant, AgentId agent, @Nullable SessionId session, WorkspaceId workspace, String principal) {

    /** An agent that is its own principal. */
    public static Caller ofAgent(TenantId tenant, AgentId agent, @Nullable SessionId session, WorkspaceId workspace) {
        return new Caller(tenant, agent, session, workspace, agent.value());
    }

    /** The host program itself, when the runtime is embedded. */
    public static Caller local() {
        return Caller.ofAgent(TenantId.LOCAL, new AgentId("local"), null, new WorkspaceId("local"));
    }

    /** The same caller in another workspace. */
    public Caller at(WorkspaceId newWorkspace) {
        return new Caller(tenant, agent, session, newWorkspace, principal);
    }

    /** The same caller in this session. */
    public Caller in(SessionId newSession) {
        return new Caller(tenant, agent, newSession, workspace, principal);
    }
}
