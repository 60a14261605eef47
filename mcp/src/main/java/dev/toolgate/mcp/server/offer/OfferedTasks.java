package dev.toolgate.mcp.server.offer;

import dev.toolgate.mcp.protocol.TaskState;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** The tasks that calls became. One that belongs to somebody else is like one that does not exist. */
public interface OfferedTasks {

    /** How far a task has come; null if the caller has no such task. */
    @Nullable
    TaskState get(RequestContext context, String taskId) throws InterruptedException;

    /** Waits until a task is over or needs input; null if the caller has no such task. Ends when the request does. */
    @Nullable
    TaskState await(RequestContext context, String taskId) throws InterruptedException;

    /**
     * Answers what a task asks for; answers to anything else are ignored.
     *
     * @return the task afterwards; null if the caller has no such task
     */
    @Nullable
    TaskState answer(RequestContext context, String taskId, Map<String, JsonNode> responses)
            throws InterruptedException;

    /**
     * Asks a task to stop; one that is over stays as it is.
     *
     * @return the task afterwards; null if the caller has no such task
     */
    @Nullable
    TaskState cancel(RequestContext context, String taskId) throws InterruptedException;
}
