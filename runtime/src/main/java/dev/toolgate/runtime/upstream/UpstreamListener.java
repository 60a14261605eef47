package dev.toolgate.runtime.upstream;

import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/** Receives changes of a server's lists and state. Methods may be called from any thread and must return quickly. */
public interface UpstreamListener {
    /** Ignores everything. */
    UpstreamListener NONE = new UpstreamListener() {};

    /**
     * The tools, exactly as listed; called for the first list and for every one that differs from the previous one.
     */
    default void toolsListed(List<ObjectNode> definitions) {}

    /** The last reported state is the current one; intermediate states may be skipped. */
    default void stateChanged(UpstreamState state) {}

    /** The list of prompts may have changed. */
    default void promptsChanged() {}

    /** The list of resources or resource templates may have changed. */
    default void resourcesChanged() {}
}
