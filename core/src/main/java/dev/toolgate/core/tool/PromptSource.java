package dev.toolgate.core.tool;

import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/**
 * A tool that gets prompts of an MCP server. Its arguments are the parameters of {@code prompts/get} or, to complete an
 * argument, {@code completion/complete}, and its structured output is the result; callers of MCP see it as prompts, not
 * as a tool.
 */
public interface PromptSource extends Tool<ObjectNode> {
    /** The name by which callers know a prompt that the server knows by this one. */
    String nameOf(String prompt);

    /** The prompts as far as somebody has asked for them before; a server that nobody has asked is not asked. */
    List<ObjectNode> known() throws InterruptedException;

    /** The prompts as the server lists them, or listed them last; empty if it cannot be reached. Never changed. */
    List<ObjectNode> prompts() throws InterruptedException;
}
