package dev.toolgate.server.operate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.toolgate.server.Client;
import dev.toolgate.server.Reply;
import dev.toolgate.server.RunningServer;
import dev.toolgate.store.checkpoint.CheckpointFolder;
import dev.toolgate.store.checkpoint.KnownCheckpoints;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A whole server whose audit records are deleted directly in the database. */
class AuditCheckpointsTest {
    @TempDir
    private Path home;

    @Test
    void records_deleted_under_a_running_server_raise_an_alarm() throws Exception {
        Map<String, String> often = Map.of("audit.checkpoints.every", "1s");
        try (RunningServer server = RunningServer.start(home, often)) {
            Client admin = server.admin();
            for (int i = 1; i <= 3; i++) {
                call(admin, "call-" + i);
            }
            UUID chain = chain(server);
            await().until(() -> known().roots(chain).containsKey(3L));
            Reply before = admin.get("/api/v1/audit/verify");
            assertThat(before.json().path("intact").asBoolean()).isTrue();
            assertThat(before.json().path("checkpoints").asInt()).isPositive();

            cutTail(server, chain);
            Reply after = admin.get("/api/v1/audit/verify");
            assertThat(after.json().path("intact").asBoolean()).isFalse();
            assertThat(after.json().path("faults").toString())
                    .contains("\"kind\":\"removed\"", chain.toString(), "\"sequence\":3");

            await().atMost(Duration.ofSeconds(30)).untilAsserted(() -> {
                Reply health = server.anonymous().get("/health");
                assertThat(health.json().at("/checks/checkpoints/status").stringValue())
                        .isEqualTo("degraded");
                assertThat(health.json().at("/checks/checkpoints/detail").stringValue())
                        .contains(chain.toString(), "audit verify");
            });
            assertThat(admin.get("/metrics").text()).contains("toolgate_audit_alarms 1.0");
            assertThat(call(admin, "call-4").status())
                    .as("calls continue in a new chain")
                    .isNotEqualTo(503);
        }
    }

    @Test
    void the_last_records_have_a_checkpoint_after_a_stop() throws Exception {
        Map<String, String> seldom = Map.of("audit.checkpoints.every", "1h");
        UUID chain;
        try (RunningServer server = RunningServer.start(home, seldom)) {
            call(server.admin(), "call-1");
            call(server.admin(), "call-2");
            chain = chain(server);
            Reply answer = server.admin().get("/api/v1/audit/checkpoints");
            assertThat(answer.json().path("keys").path(0).stringValue()).startsWith("toolgate+");
            assertThat(known().roots(chain)).isEmpty();
        }
        assertThat(known().roots(chain)).containsKey(2L);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(home.resolve("checkpoint.key"))))
                .isEqualTo("rw-------");
    }

    private static Reply call(Client client, String request) {
        return client.post(
                "/api/v1/tools/execute",
                "{\"request_id\": \"" + request + "\", \"agent_id\": \"scout\", \"tool_name\": \"file_list\","
                        + " \"operation\": \"list\", \"parameters\": {\"path\": \".\"}}");
    }

    private static UUID chain(RunningServer server) {
        return server.database().jdbi().withHandle(handle -> handle.createQuery(
                        "SELECT instance_id FROM tool_audit_logs WHERE request_id = 'call-1'")
                .mapTo(UUID.class)
                .one());
    }

    private static void cutTail(RunningServer server, UUID chain) {
        server.database().jdbi().useHandle(handle -> handle.execute("""
                DELETE FROM tool_audit_logs WHERE instance_id = '%1$s' AND sequence = 3;
                UPDATE audit_instances i SET last_sequence = 2, last_hash = l.hash FROM tool_audit_logs l
                WHERE i.instance_id = '%1$s' AND l.instance_id = i.instance_id AND l.sequence = 2""".formatted(chain)));
    }

    private KnownCheckpoints known() {
        try {
            CheckpointFolder folder = new CheckpointFolder(home.resolve("checkpoints"));
            KnownCheckpoints known = new KnownCheckpoints(folder.keys());
            folder.read(known::add);
            return known;
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
