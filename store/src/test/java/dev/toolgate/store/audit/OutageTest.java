package dev.toolgate.store.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.toolgate.core.audit.AuditLog.Claim;
import dev.toolgate.core.audit.AuditLog.KeptAnswer;
import dev.toolgate.core.call.Outcome;
import dev.toolgate.core.call.Output;
import dev.toolgate.core.call.RequestId;
import dev.toolgate.core.call.RequestKey;
import dev.toolgate.core.call.RequestKeys.Earlier;
import dev.toolgate.core.call.Unavailable;
import dev.toolgate.store.MigratedDatabase;
import dev.toolgate.store.audit.query.AuditFilter;
import dev.toolgate.store.connection.DatabaseUrl;
import dev.toolgate.store.embedded.EmbeddedPostgres;
import dev.toolgate.store.requestkey.PostgresRequestKeys;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A database that does not respond at all, which is harder to handle than a closed connection. */
@Timeout(120)
class OutageTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(2);
    private static final Duration RECOVERY = Duration.ofSeconds(60);
    private static final RequestKey KEY =
            new RequestKey(AuditStore.ACME, AuditStore.ALICE, new RequestId("keyed"), "ab".repeat(32));

    @Test
    void callers_get_errors_while_the_network_drops_packets_then_recover() throws Exception {
        DatabaseUrl url = MigratedDatabase.fresh();
        try (FaultyProxy proxy = new FaultyProxy(url);
                AuditStore store = AuditStore.open(proxy.to(url), TIMEOUT);
                PostgresRequestKeys keys =
                        new PostgresRequestKeys(store.database().unpooled(), TIMEOUT)) {
            begin(store, keys);
            proxy.cut();
            fails(store, keys);
            proxy.mend();
            recovers(store, keys);
            assertThat(store.count("SELECT count(DISTINCT instance_id) FROM tool_audit_logs"))
                    .as("the instance continues its chain")
                    .isEqualTo(1);
        }
    }

    @Test
    void callers_get_errors_while_the_server_is_stopped_then_recover(@TempDir Path home) throws Exception {
        try (EmbeddedPostgres server = EmbeddedPostgres.start(home.resolve("home"));
                AuditStore store = AuditStore.open(server.url(), TIMEOUT);
                PostgresRequestKeys keys =
                        new PostgresRequestKeys(store.database().unpooled(), TIMEOUT)) {
            begin(store, keys);
            ProcessHandle postmaster = ProcessHandle.of(server.pid()).orElseThrow();
            List<Long> halted = new ArrayList<>(List.of(postmaster.pid()));
            signal("-STOP", halted); // first the parent, so that it cannot fork while its children are listed
            postmaster.descendants().map(ProcessHandle::pid).forEach(halted::add);
            signal("-STOP", halted);
            try {
                fails(store, keys);
            } finally {
                signal("-CONT", halted);
            }
            recovers(store, keys);
        }
    }

    private static void begin(AuditStore store, PostgresRequestKeys keys) {
        store.log().intend(AuditStore.intent("keyed"), KEY);
        assertThat(keys.find(KEY)).isEqualTo(new Earlier.StillRunning());
        store.log().record(AuditStore.completed("before"));
    }

    private static void fails(AuditStore store, PostgresRequestKeys keys) {
        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(() -> store.log().intend(AuditStore.intent("meanwhile")))
                    .isInstanceOf(Unavailable.class);
            assertThatThrownBy(() -> store.log().record(AuditStore.completed("meanwhile")))
                    .isInstanceOf(Unavailable.class);
            assertThatThrownBy(() -> keys.find(KEY)).isInstanceOf(Unavailable.class);
        }
        // Now the pool is opening a connection that will never succeed.
        assertThat(store.database().isReachable()).isFalse();
    }

    private static void recovers(AuditStore store, PostgresRequestKeys keys) {
        Outcome done = new Outcome.Completed(Output.text("done"));
        await().atMost(RECOVERY).ignoreExceptionsInstanceOf(Unavailable.class).until(() -> {
            store.log().record(AuditStore.completed("after"));
            return true;
        });
        store.log().record(AuditStore.completed("keyed"), KeptAnswer.ofUnstarted(KEY, done, Claim.HELD));
        await().atMost(RECOVERY)
                .ignoreExceptionsInstanceOf(Unavailable.class)
                .until(() -> keys.find(KEY), new Earlier.SameCall(done)::equals);
        await().atMost(RECOVERY).until(() -> store.database().isReachable());
        assertThat(store.requests(AuditFilter.of(AuditStore.ACME))).contains("before", "after", "keyed");
        await().atMost(RECOVERY)
                .untilAsserted(() -> assertThat(store.openIntents()).isEmpty());
        assertThat(store.queries().verify().faults()).isEmpty();
    }

    private static void signal(String which, List<Long> processes) throws Exception {
        List<String> command = new ArrayList<>(List.of("kill", which));
        processes.forEach(process -> command.add(process.toString()));
        assertThat(new ProcessBuilder(command).inheritIO().start().waitFor()).isZero();
    }
}
