package dev.toolgate.integrations;

import dev.toolgate.client.Toolgate;
import dev.toolgate.client.ToolgateBuilder;
import dev.toolgate.client.model.AuditQuery;
import dev.toolgate.client.model.AuditRecord;
import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.identity.Role;
import dev.toolgate.server.RunningServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;

/** A whole server on PostgreSQL for all tests, started with the first of them and closed after the last. */
public final class SharedGate implements BeforeAllCallback {
    private static RunningServer server;
    private static Toolgate admin;

    @Override
    public void beforeAll(ExtensionContext context) {
        context.getRoot()
                .getStore(Namespace.create(SharedGate.class))
                .computeIfAbsent(RunningServer.class, key -> start(), RunningServer.class);
    }

    private static RunningServer start() {
        try {
            Path home = Files.createTempDirectory("shared-gate");
            // Refusals are what many of these tests are about.
            server = RunningServer.start(home, Map.of("limits.refused.calls", "0"));
            admin = Toolgate.builder()
                    .url(server.url())
                    .key(server.key(RunningServer.FIRST, Role.ADMIN, null))
                    .build();
            return server;
        } catch (Exception failure) {
            throw new IllegalStateException(failure);
        }
    }

    public static Toolgate admin() {
        return admin;
    }

    static String url() {
        return server.url();
    }

    /** A client with a key of this agent. */
    public static ToolgateBuilder client(String agent) {
        return Toolgate.builder()
                .url(server.url())
                .key(server.key(RunningServer.FIRST, Role.AGENT, new AgentId(agent)))
                .agent(agent);
    }

    /** What is on record of an agent's calls, the oldest first, once there are this many. */
    public static List<AuditRecord> records(String agent, int count) {
        AuditQuery query = AuditQuery.all().agent(agent).with("kind", "call").oldestFirst();
        Awaitility.await()
                .atMost(Duration.ofMinutes(2))
                .until(() -> admin.audit().list(query).count() >= count);
        return admin.audit().list(query).toList();
    }
}
