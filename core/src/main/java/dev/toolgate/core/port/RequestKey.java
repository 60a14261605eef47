package dev.toolgate.core.port;

import dev.toolgate.core.call.RequestId;
import dev.toolgate.core.call.TenantId;

/**
 * A request id chosen by a caller, and a digest of the call it was chosen for: agent, tool, operation,
 * project, session and arguments.
 *
 * @param digest SHA-256 in hexadecimal
 */
public record RequestKey(TenantId tenant, RequestId requestId, String digest) {}
