package dev.toolgate.core.call;

import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Is told of the progress of a running call. Called from one thread at a time, which is blocked meanwhile. */
@FunctionalInterface
public interface CallListener {
    /** Ignores everything. */
    CallListener NONE = chunk -> {};

    /** The next piece of output, in whole characters. */
    void onChunk(OutputChunk chunk);

    /** How far the tool has come. */
    default void onProgress(Progress progress) {}

    /** A log message of the tool's server. */
    default void onLog(ToolLog message) {}

    /** What the caller can be asked for, as clients of MCP declare it, for example {@code {"elicitation": {"form": {}}}}. */
    default ObjectNode answerable() {
        return JsonNodeFactory.instance.objectNode();
    }

    /**
     * The tool needs something from the caller; may block for as long as a person needs.
     *
     * @param inputs by keys of the tool's own
     * @return what the caller says, by the same keys; what nobody answers is missing
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
