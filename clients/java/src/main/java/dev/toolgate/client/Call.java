package dev.toolgate.client;

import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A call of a tool.
 *
 * @param tool the name of the tool
 * @param parameters the arguments, by the tool's input schema
 * @param operation what is done with the tool, for the record and for conditions
 * @param agent the agent that makes the call; the client's own if null
 * @param session the session whose policy applies; the client's own if null
 * @param project the project it is for; the client's own if null
 * @param requestId the id of the call; a new UUID if null
 * @param maxWait how long to wait for the outcome of a held call
 */
public record Call(
        String tool,
        Map<String, Object> parameters,
        String operation,
        @Nullable String agent,
        @Nullable String session,
        @Nullable String project,
        @Nullable String requestId,
        Duration maxWait) {
    /** How long a call waits for an approval unless it says otherwise. */
    public static final Duration DEFAULT_WAIT = Duration.ofMinutes(10);

    public Call {
        parameters = Collections.unmodifiableMap(new LinkedHashMap<>(parameters));
    }

    /** A call without arguments. */
    public static Call of(String tool) {
        return of(tool, Map.of());
    }

    /** A call with these arguments. */
    public static Call of(String tool, Map<String, ?> parameters) {
        return new Call(tool, new LinkedHashMap<>(parameters), "call", null, null, null, null, DEFAULT_WAIT);
    }

    /** The same call with one more argument. */
    public Call with(String name, Object value) {
        Map<String, Object> more = new LinkedHashMap<>(parameters);
        more.put(name, value);
        return new Call(tool, more, operation, agent, session, project, requestId, maxWait);
    }

    /** The same call with another operation. */
    public Call operation(String name) {
        return new Call(tool, parameters, name, agent, session, project, requestId, maxWait);
    }

    /** The same call by another agent. */
    public Call as(String agentId) {
        return new Call(tool, parameters, operation, agentId, session, project, requestId, maxWait);
    }

    /** The same call in a session. */
    public Call inSession(String sessionId) {
        return new Call(tool, parameters, operation, agent, sessionId, project, requestId, maxWait);
    }

    /** The same call for a project. */
    public Call forProject(String projectId) {
        return new Call(tool, parameters, operation, agent, session, projectId, requestId, maxWait);
    }

    /** The same call under this id; the gate runs a call with the same id only once. */
    public Call withId(String id) {
        return new Call(tool, parameters, operation, agent, session, project, id, maxWait);
    }

    /** The same call under an id of its own. */
    public Call withNewId() {
        return new Call(tool, parameters, operation, agent, session, project, null, maxWait);
    }

    /** The same call, waiting for the outcome of a held call for at most this long. */
    public Call waiting(Duration atMost) {
        return new Call(tool, parameters, operation, agent, session, project, requestId, atMost);
    }
}
