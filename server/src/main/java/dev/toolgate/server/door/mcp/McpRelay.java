package dev.toolgate.server.door.mcp;

import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.call.Unavailable;
import dev.toolgate.core.json.Json;
import dev.toolgate.mcp.jsonrpc.RpcException;
import dev.toolgate.mcp.jsonrpc.RpcLimits;
import dev.toolgate.mcp.jsonrpc.RpcMessage;
import dev.toolgate.mcp.jsonrpc.RpcReader;
import dev.toolgate.mcp.jsonrpc.RpcWriter;
import dev.toolgate.mcp.server.McpEngine;
import dev.toolgate.mcp.server.SessionRelay;
import dev.toolgate.store.connection.DatabaseListener;
import dev.toolgate.store.connection.Statements;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.time.Duration;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jdbi.v3.core.Jdbi;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Forwards cancellations and responses of clients to the instance that awaits them, with database notifications. A
 * message that does not fit into one notification is split. The number of notifications is limited, because every
 * instance reads them on the thread that also learns of changed keys and permissions, and for each tenant, so that none
 * uses up what is left for the others. The receipt of a response is acknowledged to the instance that forwarded it.
 */
final class McpRelay implements SessionRelay, DatabaseListener.Watcher {
    private static final Logger LOG = LoggerFactory.getLogger(McpRelay.class);
    private static final String CHANNEL = "toolgate_mcp";
    private static final Duration INTERVAL = Duration.ofMinutes(10);
    private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(5);
    private static final int PART_BYTES = 5000; // PostgreSQL allows 8000, and Base64 adds a third
    private static final int MAX_PARTS = 200;
    private static final int MAX_INCOMPLETE = 32;
    private static final RelayBudget.Limits LIMITS =
            new RelayBudget.Limits(2 * MAX_PARTS, 1_500, 6_000, Duration.ofMinutes(1));

    private final Statements statements;
    private final Function<String, Optional<TenantId>> tenants;
    private final RelayBudget budget = new RelayBudget(LIMITS, System::nanoTime);
    private final RpcReader reader = new RpcReader(RpcLimits.DEFAULT);
    private final Map<String, CountDownLatch> unacknowledged = new ConcurrentHashMap<>();
    /** Incomplete messages, the oldest first; used by the listening thread only. */
    private final Map<String, ByteArrayOutputStream> incomplete = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, ByteArrayOutputStream> eldest) {
            return size() > MAX_INCOMPLETE;
        }
    };

    private volatile @Nullable McpEngine engine;

    /**
     * @param tenants finds the tenant of a session; empty if there is no such session
     */
    McpRelay(Jdbi jdbi, Function<String, Optional<TenantId>> tenants) {
        this.statements = new Statements(jdbi);
        this.tenants = tenants;
    }

    /** Sets the engine that gets forwarded messages. */
    void passTo(McpEngine receiving) {
        engine = receiving;
    }

    @Override
    public boolean forward(String sessionId, RpcMessage message) {
        String id = UUID.randomUUID().toString();
        return switch (message) {
            case RpcMessage.Notification _ -> send(id, sessionId, message);
            case RpcMessage.Response _ -> isAcknowledged(id, sessionId, message);
            case RpcMessage.Request _ -> false;
        };
    }

    private boolean isAcknowledged(String id, String sessionId, RpcMessage answer) {
        CountDownLatch taken = new CountDownLatch(1);
        unacknowledged.put(id, taken);
        try {
            return send(id, sessionId, answer) && taken.await(ANSWER_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
            return false;
        } finally {
            unacknowledged.remove(id);
        }
    }

    private boolean send(String id, String sessionId, RpcMessage message) {
        byte[] bytes = Json.MAPPER.writeValueAsBytes(Json.MAPPER
                .createObjectNode()
                .put("session", sessionId)
                .put("message", new String(RpcWriter.bytes(message), StandardCharsets.UTF_8)));
        int parts = (bytes.length + PART_BYTES - 1) / PART_BYTES;
        if (parts > MAX_PARTS || !isWithinBudget(sessionId, parts)) {
            return false;
        }
        String[] payloads = new String[parts];
        for (int i = 0; i < parts; i++) {
            byte[] part = Arrays.copyOfRange(bytes, i * PART_BYTES, Math.min(bytes.length, (i + 1) * PART_BYTES));
            payloads[i] = Json.MAPPER
                    .createObjectNode()
                    .put("id", id)
                    .put("part", i)
                    .put("parts", parts)
                    .put("bytes", Base64.getEncoder().encodeToString(part))
                    .toString();
        }
        return publish(payloads);
    }

    private boolean isWithinBudget(String sessionId, int parts) {
        try {
            return tenants.apply(sessionId)
                    .map(tenant -> budget.take(tenant, sessionId, parts))
                    .orElse(false);
        } catch (Unavailable unreachable) {
            return false; // so is the database that would forward it
        }
    }

    // In one statement, so that all parts arrive, in their order; none if there is no other instance.
    private boolean publish(String... payloads) {
        try {
            return !statements
                    .run(handle -> handle.createQuery(
                                    "SELECT pg_notify(:channel, part) FROM unnest(:parts) WITH ORDINALITY AS all_parts"
                                            + " (part, n) WHERE (SELECT count(*) FROM instances) > 1 ORDER BY n")
                            .bind("channel", CHANNEL)
                            .bindArray("parts", String.class, (Object[]) payloads)
                            .mapToMap()
                            .list())
                    .isEmpty();
        } catch (Unavailable unreachable) {
            LOG.debug("A message of an MCP client could not be forwarded", unreachable);
            return false;
        }
    }

    @Override
    public String subject() {
        return "messages of MCP clients";
    }

    @Override
    public String channel() {
        return CHANNEL;
    }

    @Override
    public Duration interval() {
        return INTERVAL;
    }

    @Override
    public void notified(String payload) {
        McpEngine receiving = engine;
        try {
            JsonNode passed = Json.MAPPER.readTree(payload);
            CountDownLatch taken = unacknowledged.get(passed.path("taken").asString(""));
            if (taken != null) {
                taken.countDown();
            }
            if (receiving != null && passed.has("bytes")) {
                complete(passed).ifPresent(message -> Thread.ofVirtual()
                        .name("mcp-relay")
                        .start(() -> receive(receiving, passed.path("id").asString(""), message)));
            }
        } catch (JacksonException | IllegalArgumentException malformed) {
            LOG.debug("A malformed notification was ignored", malformed);
        }
    }

    private Optional<byte[]> complete(JsonNode passed) {
        String id = passed.path("id").asString("");
        byte[] part = Base64.getDecoder().decode(passed.path("bytes").asString(""));
        int number = passed.path("part").asInt(0);
        ByteArrayOutputStream whole =
                number == 0 ? incomplete.computeIfAbsent(id, _ -> new ByteArrayOutputStream()) : incomplete.get(id);
        if (whole == null) {
            return Optional.empty(); // its first part was missed
        }
        whole.writeBytes(part);
        if (number + 1 < passed.path("parts").asInt(1)) {
            return Optional.empty();
        }
        incomplete.remove(id);
        return Optional.of(whole.toByteArray());
    }

    private void receive(McpEngine receiving, String id, byte[] bytes) {
        try {
            JsonNode passed = Json.MAPPER.readTree(bytes);
            RpcMessage message = reader.read(passed.path("message").asString("").getBytes(StandardCharsets.UTF_8));
            boolean taken = receiving.receive(passed.path("session").asString(""), message);
            if (taken && message instanceof RpcMessage.Response) {
                ObjectNode acknowledgement = Json.MAPPER.createObjectNode().put("taken", id);
                boolean _ = publish(acknowledgement.toString());
            }
        } catch (JacksonException | RpcException malformed) {
            LOG.debug("A malformed notification was ignored", malformed);
        }
    }

    @Override
    public void poll(Connection connection) {} // lost messages are not recovered
}
