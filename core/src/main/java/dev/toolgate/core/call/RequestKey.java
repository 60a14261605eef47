package dev.toolgate.core.call;

/**
 * A request id chosen by a caller, and a digest of the call it was chosen for: agent, tool, operation,
 * project, session and arguments. Ids belong to an agent of a tenant: two agents may use the same one.
 *
 * @param digest SHA-256 in hexadecimal
 */
public record RequestKey(TenantId tenant, AgentId agent, RequestId requestId, String digest) {}
