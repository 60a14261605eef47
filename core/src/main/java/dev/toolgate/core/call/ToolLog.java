package dev.toolgate.core.call;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A log message of an MCP server that belongs to a call.
 *
 * @param level an MCP logging level, for example {@code warning}
 */
public record ToolLog(String level, @Nullable String logger, JsonNode data) {}
