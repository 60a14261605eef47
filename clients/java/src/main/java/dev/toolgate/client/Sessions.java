package dev.toolgate.client;

import dev.toolgate.client.model.Session;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Policy sessions, which narrow what an agent may do. */
public final class Sessions {
    private static final String PATH = "/api/v1/sessions";

    private final Connection connection;

    Sessions(Connection connection) {
        this.connection = connection;
    }

    /** The sessions of an agent, ended ones too; of all agents if null. */
    public Stream<Session> list(@Nullable String agentId) {
        return Pages.of(connection, Request.query(PATH, "agent_id", agentId), Session.class);
    }

    /** One session. */
    public Session get(String sessionId) {
        return Json.read(
                connection.send(Request.get(Request.path(PATH, sessionId))).json(), Session.class);
    }

    /** Starts a session of an agent under a policy bundle. */
    public Session start(String agentId, Map<String, ?> policyBundle) {
        Map<String, Object> body = Map.of("agent_id", agentId, "policy_bundle", policyBundle);
        return Json.read(connection.send(Request.post(PATH, body)).json(), Session.class);
    }

    /** Ends a session. */
    public void end(String sessionId, @Nullable String reason) {
        connection.send(Request.delete(Request.query(Request.path(PATH, sessionId), "reason", reason)));
    }
}
