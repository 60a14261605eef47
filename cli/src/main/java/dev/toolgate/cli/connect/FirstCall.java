package dev.toolgate.cli.connect;

import dev.toolgate.cli.client.Api;
import dev.toolgate.cli.client.RequestTarget;
import java.io.IOException;
import java.time.Duration;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;

/** Waits for the first call of an agent by an MCP client, as it appears in the audit log. */
final class FirstCall {
    private static final Duration POLL_INTERVAL = Duration.ofSeconds(1);
    private static final int NEWEST = 100;

    private final Api api;
    private final String agent;
    private final Set<String> earlier = new HashSet<>();

    private FirstCall(Api api, String agent) {
        this.api = api;
        this.agent = agent;
    }

    /** Counts calls of the agent from now on. */
    static FirstCall from(Api api, String agent) throws IOException {
        FirstCall first = new FirstCall(api, agent);
        first.newest().forEach(record -> first.earlier.add(id(record)));
        return first;
    }

    /** The record of the first call; empty if none came in time. */
    Optional<JsonNode> await(Duration timeout) throws IOException {
        long deadline = System.nanoTime() + timeout.toNanos();
        Optional<JsonNode> found = find();
        while (found.isEmpty() && System.nanoTime() < deadline) {
            try {
                Thread.sleep(POLL_INTERVAL);
            } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
                throw new IOException("stopped", stopped);
            }
            found = find();
        }
        return found;
    }

    // The newest come first; the oldest of the new ones is the first call.
    private Optional<JsonNode> find() throws IOException {
        return newest().valueStream()
                .filter(record -> record.path("client").isString() && !earlier.contains(id(record)))
                .reduce((_, older) -> older);
    }

    private ArrayNode newest() throws IOException {
        return api.list(RequestTarget.api("audit", "logs").with("agent_id", agent), NEWEST);
    }

    private static String id(JsonNode record) {
        return record.path("id").asString("");
    }
}
