package dev.toolgate.core.tool;

import tools.jackson.databind.node.ObjectNode;

/** A tool as presented to a model. */
public record ToolDefinition(String toolName, String description, ObjectNode inputSchema) {}
