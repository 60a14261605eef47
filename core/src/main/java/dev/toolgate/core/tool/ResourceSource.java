package dev.toolgate.core.tool;

import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
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

    /** A subscription to changes of a resource. */
    interface Subscription extends AutoCloseable {
        /** Ends it, without waiting for the server. */
        @Override
        void close();
    }

    /**
     * Subscribes to changes of a resource, until the subscription is closed.
     *
     * @param changed called with the URI; once for all subscriptions with an equal one
     * @return null if it cannot be subscribed to
     */
    @Nullable
    Subscription subscribe(String uri, Consumer<String> changed);
}
