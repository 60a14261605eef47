package dev.toolgate.client;

import dev.toolgate.client.model.Agent;
import dev.toolgate.client.model.NewAgent;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The agents that make calls. */
public final class Agents {
    private static final String PATH = "/api/v1/agents";

    private final Connection connection;

    Agents(Connection connection) {
        this.connection = connection;
    }

    /** All agents, ordered by id. */
    public Stream<Agent> list() {
        return Pages.of(connection, PATH, Agent.class);
    }

    /** One agent. */
    public Agent get(String agentId) {
        return agent(Request.get(Request.path(PATH, agentId)));
    }

    /** Creates an agent, which may use nothing yet. */
    public Agent create(String agentId) {
        return create(NewAgent.of(agentId));
    }

    /** Creates an agent. */
    public Agent create(NewAgent wanted) {
        Json.Body body = new Json.Body()
                .put("agent_id", wanted.agentId())
                .put("name", wanted.name())
                .put("description", wanted.description())
                .put("template", wanted.template())
                .put("reason", wanted.reason());
        return agent(Request.post(PATH, body.fields()));
    }

    /** Changes the fields that are given: name, description, trust_level; null removes a name or description. */
    public Agent update(String agentId, Map<String, ?> changes) {
        return agent(Request.patch(Request.path(PATH, agentId), changes));
    }

    /** Adds the grants of a template that the agent does not have, and returns the tools that were added. */
    public List<String> applyTemplate(String agentId, String template) {
        Map<String, Object> body = Map.of("template", template);
        Reply reply = connection.send(Request.post(Request.path(PATH, agentId, "template"), body));
        return OutcomeReader.names(reply.json().path("added"));
    }

    /** Removes an agent with its permissions and keys; its audit records stay. */
    public void delete(String agentId, @Nullable String reason) {
        connection.send(Request.delete(Request.query(Request.path(PATH, agentId), "reason", reason)));
    }

    private Agent agent(Request request) {
        return Json.read(connection.send(request).json(), Agent.class);
    }
}
