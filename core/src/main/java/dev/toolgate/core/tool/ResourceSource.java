package dev.toolgate.core.tool;

import java.util.List;
import java.util.function.Consumer;
import tools.jackson.databind.node.ObjectNode;

/**
 * A tool that reads resources of an MCP server. Its arguments are the parameters of {@code resources/read} or, to complete
 * an argument of a template, {@code completion/complete}, and its structured output is the result; callers of MCP see it
 * as resources, not as a tool.
 */
public interface ResourceSource extends Tool<ObjectNode> {
    /** The resources and templates as far as somebody has asked for them before; a server that nobody has asked is not asked. */
    List<ObjectNode> known() throws InterruptedException;

    /** The resources as the server lists them, or listed them last; empty if it cannot be reached. Never changed. */
    List<ObjectNode> resources() throws InterruptedException;

    /** The templates of resources, likewise. */
    List<ObjectNode> templates() throws InterruptedException;

    /**
     * Has somebody told whenever a resource changes, for as long as the server is in use.
     *
     * @return false if the server does not tell
     */
    boolean watch(String uri, Consumer<String> changed);
}
