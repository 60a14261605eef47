package dev.toolgate.mcp.server.offer;

import dev.toolgate.mcp.protocol.TaskState;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** The tasks of calls. A task of another caller is treated as if it did not exist. */
public interface OfferedTasks {

    /** The state of a task; null if the caller has no such task. */
    @Nullable
    TaskState get(RequestContext context, String taskId) throws InterruptedException;

    /**
     * Called before the outcome of a task is sent to its client. Queries alone do not send it: their result may be
     * dropped, or the client may have disconnected.
     *
     * @param message the message with the outcome
     */
    void sendingOutcome(RequestContext context, String taskId, OutgoingMessage message);

    /**
     * Waits until a task has ended or needs input, or the request is cancelled; null if the caller has no such task.
     */
    @Nullable
    TaskState await(RequestContext context, String taskId) throws InterruptedException;

    /**
     * Answers the input requests of a task; other answers are ignored.
     *
     * @return the task afterwards; null if the caller has no such task
     */
    @Nullable
    TaskState answer(RequestContext context, String taskId, Map<String, JsonNode> responses)
            throws InterruptedException;

    /**
     * Cancels a task; no effect on one that has ended.
     *
     * @return the task afterwards; null if the caller has no such task
     */
    @Nullable
    TaskState cancel(RequestContext context, String taskId) throws InterruptedException;
}
