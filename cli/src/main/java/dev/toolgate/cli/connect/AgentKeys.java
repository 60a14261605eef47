package dev.toolgate.cli.connect;

import dev.toolgate.cli.client.Api;
import dev.toolgate.cli.client.Refusal;
import dev.toolgate.cli.client.RequestTarget;
import dev.toolgate.cli.terminal.Moment;
import dev.toolgate.core.json.Json;
import java.io.IOException;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Creates, finds and revokes the keys of agents, for programs that act as one. */
public final class AgentKeys {
    private static final int CONFLICT = 409;
    private static final int NOT_FOUND = 404;
    private static final int MAX_KEYS = 10_000;

    private final Api api;

    public AgentKeys(Api api) {
        this.api = api;
    }

    /** Adds an agent; false if it exists already. */
    public boolean addAgent(String agent) throws IOException {
        try {
            api.send(
                    "POST",
                    RequestTarget.api("agents"),
                    Json.MAPPER.createObjectNode().put("agent_id", agent));
            return true;
        } catch (Refusal refused) {
            if (refused.status() != CONFLICT) {
                throw refused;
            }
            return false;
        }
    }

    /**
     * Creates a key for an agent; the response has {@code key} and {@code key_id}.
     *
     * @param name its display name
     * @param lifetime such as {@code 8h}, or {@code never}; null for the server's setting
     */
    public JsonNode create(String agent, String name, @Nullable String lifetime) throws IOException {
        ObjectNode body = Json.MAPPER
                .createObjectNode()
                .put("role", "agent")
                .put("agent_id", agent)
                .put("name", name);
        if (lifetime != null) {
            if (lifetime.equals("never")) {
                body.put("expires_in", lifetime);
            } else {
                body.put("expires_at", Moment.after(lifetime, Clock.systemUTC()).toString());
            }
        }
        return api.send("POST", RequestTarget.api("keys"), body);
    }

    /** Revokes a key by its id; does nothing if it does not exist. */
    public void revoke(String id) throws IOException {
        try {
            api.delete(RequestTarget.api("keys", id));
        } catch (Refusal refused) {
            if (refused.status() != NOT_FOUND) {
                throw refused;
            }
        }
    }

    /** The id of a key, found by its prefix; empty unless exactly one key matches. */
    public Optional<String> find(String key) throws IOException {
        List<String> ids = api.list(RequestTarget.api("keys"), MAX_KEYS)
                .valueStream()
                .filter(entry -> entry.path("role").asString("").equals("agent")
                        && entry.path("state").asString("").equals("usable")
                        && !entry.path("prefix").asString("").isEmpty()
                        && key.startsWith(entry.path("prefix").asString("")))
                .map(entry -> entry.path("key_id").asString(""))
                .toList();
        return ids.size() == 1 ? Optional.of(ids.getFirst()) : Optional.empty();
    }
}
