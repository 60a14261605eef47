package dev.toolgate.core.call;

import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Receives the progress of a running call. Called from one thread at a time, which waits for the method to return. */
@FunctionalInterface
public interface CallListener {
    /** Ignores everything. */
    CallListener NONE = chunk -> {};

    /** The next piece of output, in whole characters. */
    void onChunk(OutputChunk chunk);

    /** The tool's progress. */
    default void onProgress(Progress progress) {}

    /** A log message of the tool's server. */
    default void onLog(ToolLog message) {}

    /** The input the caller can supply, as MCP client capabilities, such as {@code {"elicitation": {"form": {}}}}. */
    default ObjectNode answerable() {
        return JsonNodeFactory.instance.objectNode();
    }

    /**
     * The tool needs input from the caller; may block until a person answers.
     *
     * @param inputs by key; the tool chooses the keys
     * @return the caller's answers by the same keys; unanswered inputs are absent
     */
    default Map<String, ObjectNode> onInputNeeded(Map<String, NeededInput> inputs) throws InterruptedException {
        return Map.of();
    }

    /** The call waits for human approval. */
    default void onHeld(Question question) {}

    /** The tool starts. */
    default void onStart() {}

    /**
     * The approval request, with secrets masked.
     *
     * @param id of the approval request
     * @param preview what the call would do, if the tool can say
     */
    record Question(
            UUID id,
            Instant expiresAt,
            String reason,
            @Nullable String preview) {}
}
