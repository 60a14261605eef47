package dev.toolgate.core.identity;

/** A right that a role may include. */
public enum Right {
    /** Use tools as one's own agent. */
    CALL_AS_ITSELF,
    /** Use tools as any agent of the tenant. */
    CALL_FOR_ANY_AGENT,
    /** Hold conversations as the agents that one's key or token names. */
    CHAT_AS_NAMED_AGENTS,
    /** Undo recorded changes of any agent of the tenant, within that agent's permissions. */
    UNDO_CHANGES,
    /** See agents, groups and their permissions. */
    READ_PERMISSIONS,
    /** Change agents, groups and their permissions. */
    CHANGE_PERMISSIONS,
    /** Start and end sessions of any agent of the tenant. */
    MANAGE_SESSIONS,
    /** See and answer approval requests. */
    ANSWER_APPROVALS,
    /** See and answer approval requests of one's own conversations, for one call at a time. */
    ANSWER_OWN_QUESTIONS,
    /** Read the audit log of the agents one acts for. */
    READ_AGENT_AUDIT,
    /** Read the audit log of the tenant. */
    READ_AUDIT,
    /** Read the audit log of all tenants, to verify that it is complete; only in the first tenant. */
    READ_WHOLE_AUDIT,
    /** List artifacts. */
    LIST_ARTIFACTS,
    /** Read the bytes of artifacts. */
    READ_ARTIFACTS,
    /** See artifacts of every agent of the tenant, not only one's own. */
    SEE_ALL_ARTIFACTS,
    /** Store and delete artifacts. */
    WRITE_ARTIFACTS,
    /** Create and revoke keys. */
    MANAGE_KEYS,
    /** Add, change and remove MCP servers, and approve their tools. A server may be given secrets of the tenant. */
    MANAGE_SERVERS,
    /** Create tenants; only for admins of the first tenant. */
    MANAGE_TENANTS
}
