package dev.toolgate.core.tool;

import java.util.List;
import java.util.function.Consumer;
import tools.jackson.databind.node.ObjectNode;

/**
 * A tool that reads resources of an MCP server. Its arguments are the parameters of {@code resources/read} or, to
 * complete an argument of a template, {@code completion/complete}, and its structured output is the result; MCP clients
 * see it as resources, not as a tool.
 */
public interface ResourceSource extends Tool<ObjectNode> {
    /** The resources and templates that have been listed before; the server is not asked for the others. */
    List<ObjectNode> known() throws InterruptedException;

    /**
     * The resources as the server lists them, or listed them last; empty if it cannot be reached. Must not be modified.
     */
    List<ObjectNode> resources() throws InterruptedException;

    /** The templates of resources, likewise. */
    List<ObjectNode> templates() throws InterruptedException;

    /**
     * Subscribes to changes of a resource, as long as the server is in use.
     *
     * @return false if it cannot be subscribed to
     */
    boolean watch(String uri, Consumer<String> changed);
}
