package dev.toolgate.core.tool;

import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/**
 * A tool that gets prompts of an MCP server. Its arguments are the parameters of {@code prompts/get} or, to complete an
 * argument, {@code completion/complete}, and its structured output is the result; MCP clients see it as prompts, not as
 * a tool.
 */
public interface PromptSource extends Tool<ObjectNode> {
    /** The name under which callers see the server's prompt of this name. */
    String nameOf(String prompt);

    /** The prompts if they have been listed before; otherwise empty, without asking the server. */
    List<ObjectNode> known() throws InterruptedException;

    /**
     * The prompts as the server lists them, or listed them last; empty if it cannot be reached. Must not be modified.
     */
    List<ObjectNode> prompts() throws InterruptedException;
}
