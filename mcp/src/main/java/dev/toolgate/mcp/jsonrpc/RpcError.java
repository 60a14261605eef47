package dev.toolgate.mcp.jsonrpc;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** The error of a failed request; the code may be specific to the other side. */
public record RpcError(int code, String message, @Nullable JsonNode data) {}
