package dev.toolgate.runtime.upstream;

import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/** Hears that a server's lists changed, or that it came or went. Calls must return soon, and may come from any thread. */
public interface UpstreamListener {
    /** Ignores everything. */
    UpstreamListener NONE = new UpstreamListener() {};

    /** The tools, exactly as listed; told for the first list and for every one that differs from the last. */
    default void toolsListed(List<ObjectNode> definitions) {}

    /** The last state that is told is the current one; states that did not last may be left out. */
    default void stateChanged(UpstreamState state) {}

    /** The list of prompts may be another one now. */
    default void promptsChanged() {}

    /** The list of resources or resource templates may be another one now. */
    default void resourcesChanged() {}
}
