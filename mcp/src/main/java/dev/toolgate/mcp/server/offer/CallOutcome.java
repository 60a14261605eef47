package dev.toolgate.mcp.server.offer;

import dev.toolgate.mcp.protocol.InputRequest;
import dev.toolgate.mcp.protocol.TaskState;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** The outcome of calling a tool, reading a resource or getting a prompt; errors are thrown instead. */
public sealed interface CallOutcome {

    /** A result; written unchanged, plus the fields that the revision requires. */
    record Finished(ObjectNode result) implements CallOutcome {}

    /**
     * The client must answer first. The request fails if it did not declare the capability, so check {@link
     * RequestContext#canAsk} before. In the legacy era the engine asks, and calls again with the answers.
     *
     * @param state returned with the answers; null for none. Untrusted: clients can read and change it.
     */
    record InputRequired(
            Map<String, InputRequest> requests, @Nullable String state) implements CallOutcome {}

    /**
     * The call continues as a task, which can be queried from now on. Only for tool calls, and only if {@link
     * RequestContext#acceptsTask}; the request fails otherwise.
     */
    record TaskCreated(TaskState task) implements CallOutcome {}
}
