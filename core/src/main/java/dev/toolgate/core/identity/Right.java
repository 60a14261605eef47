package dev.toolgate.core.identity;

/** What somebody may do with the server. */
public enum Right {
    /** Use tools as the agent one is. */
    CALL_AS_ITSELF,
    /** Use tools in the name of any agent of the tenant. */
    CALL_FOR_ANY_AGENT,
    /** Have conversations as the agents that one's key or token names. */
    CHAT_AS_NAMED_AGENTS,
    /** See agents, groups and what they may use. */
    READ_PERMISSIONS,
    /** Change agents, groups and what they may use. */
    CHANGE_PERMISSIONS,
    /** Start and end sessions of any agent of the tenant. */
    MANAGE_SESSIONS,
    /** See what people are asked to approve, and answer. */
    ANSWER_APPROVALS,
    /** See what one's own conversations ask, and answer for one call at a time. */
    ANSWER_OWN_QUESTIONS,
    /** See the record of calls of the agents one acts for. */
    READ_AGENT_AUDIT,
    /** See the record of calls. */
    READ_AUDIT,
    /** See the records of all tenants, to prove that none is missing; only for the first tenant. */
    READ_WHOLE_AUDIT,
    /** See which artifacts there are. */
    LIST_ARTIFACTS,
    /** Read the bytes of artifacts. */
    READ_ARTIFACTS,
    /** See artifacts of every agent of the tenant, not only one's own. */
    SEE_ALL_ARTIFACTS,
    /** Store and delete artifacts. */
    WRITE_ARTIFACTS,
    /** Make and revoke keys. */
    MANAGE_KEYS,
    /** Make tenants; only for admins of the first tenant. */
    MANAGE_TENANTS
}
