package dev.toolgate.core.tool;

import tools.jackson.databind.node.ObjectNode;

/** A tool as a model sees it. */
public record ToolDefinition(String toolName, String description, ObjectNode inputSchema) {}
