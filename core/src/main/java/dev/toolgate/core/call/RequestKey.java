package dev.toolgate.core.call;

/**
 * An idempotency key: a request id chosen by a caller and a digest of its call (agent, tool, operation, project,
 * session, arguments). Ids are scoped to an agent of a tenant.
 *
 * @param digest SHA-256 in hexadecimal
 */
public record RequestKey(TenantId tenant, AgentId agent, RequestId requestId, String digest) {}
