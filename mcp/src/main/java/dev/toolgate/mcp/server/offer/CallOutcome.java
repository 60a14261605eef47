package dev.toolgate.mcp.server.offer;

import dev.toolgate.mcp.protocol.InputRequest;
import dev.toolgate.mcp.protocol.TaskState;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** What came of calling a tool, reading a resource or getting a prompt; errors are thrown instead. */
public sealed interface CallOutcome {

    /** There is a result; it is written as it is, with what its revision wants added. */
    record Finished(ObjectNode result) implements CallOutcome {}

    /**
     * The client must answer first. Where it declared no such ability the request fails, so ask {@link
     * RequestContext#canAsk} before. In the legacy era the engine asks and comes back with the answers.
     *
     * @param state comes back with the answers; null if nothing is to come back. Clients see it and may change it.
     */
    record InputRequired(
            Map<String, InputRequest> requests, @Nullable String state) implements CallOutcome {}

    /**
     * The call goes on as a task, which can be asked for from now on. Only tool calls may, and only where {@link
     * RequestContext#acceptsTask} says so; the request fails otherwise.
     */
    record TaskCreated(TaskState task) implements CallOutcome {}
}
