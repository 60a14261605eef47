package dev.toolgate.server.door;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.call.Unavailable;
import dev.toolgate.core.identity.Identity;
import dev.toolgate.core.identity.Principal;
import dev.toolgate.core.identity.Role;
import dev.toolgate.http.HttpSettings;
import dev.toolgate.http.routing.Routes;
import dev.toolgate.http.server.HttpServer;
import dev.toolgate.server.Client;
import dev.toolgate.server.LiveStream;
import dev.toolgate.server.admin.approval.ApprovalStreamRoute;
import dev.toolgate.server.admin.audit.AuditStreamRoute;
import dev.toolgate.store.Database;
import dev.toolgate.store.MigratedDatabase;
import dev.toolgate.store.audit.query.AuditFeed;
import dev.toolgate.store.heldcall.PostgresApprovals;
import dev.toolgate.store.instance.RunningInstance;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Both live streams: subscriptions end with their readers, and readers get only what they may still see. */
@Timeout(60)
class LiveStreamsTest {
    private static final String APPROVALS = "/api/v1/approvals/stream";
    private static final String AUDIT = "/api/v1/audit/stream";
    private static final int MAX_STREAMS = 3;

    private volatile Supplier<Identity> identity = () -> known(Role.AUDITOR, null);
    private Database database;
    private PostgresApprovals approvals;
    private AuditFeed audit;
    private HttpServer server;
    private Client client;

    @BeforeEach
    void start() throws Exception {
        database = Database.open(MigratedDatabase.fresh());
        approvals = new PostgresApprovals(database.jdbi(), RunningInstance.start(database.listener(), "here"));
        audit = new AuditFeed(database.unpooled());
        HttpSettings defaults = HttpSettings.on("127.0.0.1", List.of(0));
        server = HttpServer.start(
                HttpSettings.plain(
                        defaults.host(),
                        defaults.ports(),
                        defaults.idle(),
                        defaults.requestTimeout(),
                        defaults.minBodyRate(),
                        defaults.maxConnections(),
                        defaults.maxRequests(),
                        4 * MAX_STREAMS, // of which one tenant may use a quarter
                        Duration.ofMillis(50),
                        defaults.grace()),
                Routes.of(new ApprovalStreamRoute(approvals.feed()).all(), new AuditStreamRoute(audit).all()),
                _ -> identity.get());
        client = new Client(server.url());
    }

    @AfterEach
    void stop() throws IOException {
        server.stop(Duration.ZERO);
        audit.close();
        approvals.close();
        database.close();
    }

    @Test
    void a_head_request_to_a_stream_leaves_no_subscription() {
        for (int i = 0; i < 30; i++) {
            assertThat(client.send("HEAD", APPROVALS, null).status()).isEqualTo(200);
            assertThat(client.send("HEAD", AUDIT, null).status()).isEqualTo(200);
        }
        assertThat(listeners()).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {APPROVALS, AUDIT})
    void a_refused_stream_leaves_no_subscription(String path) throws Exception {
        List<LiveStream> open = new ArrayList<>();
        for (int i = 0; i < MAX_STREAMS; i++) {
            open.add(LiveStream.open(client, path));
        }
        for (int i = 0; i < 10; i++) {
            assertThat(client.get(path).status()).isEqualTo(503);
        }
        assertThat(listeners()).isEqualTo(MAX_STREAMS);
        open.forEach(LiveStream::close);
        await().until(() -> listeners() == 0);
    }

    @Test
    void events_after_a_stream_has_started_are_delivered() throws Exception {
        for (int i = 0; i < 5; i++) {
            try (LiveStream stream = LiveStream.open(client, APPROVALS)) {
                ask("heard-" + i, "asker");
                stream.readUntil("heard-" + i);
            }
            await().until(() -> listeners() == 0);
        }
    }

    @Test
    void events_are_filtered_by_the_readers_current_rights() throws Exception {
        try (LiveStream stream = LiveStream.open(client, APPROVALS)) {
            ask("of-another", "asker");
            stream.readUntil("of-another");
            identity = () -> known(Role.AGENT, new AgentId("reader"));
            ask("hidden", "asker");
            ask("own", "reader");
            assertThat(stream.readUntil("own")).doesNotContain("hidden");
            identity = () -> known(Role.AUDITOR, null);
            ask("again", "asker");
            stream.readUntil("again");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {APPROVALS, AUDIT})
    void a_quiet_stream_ends_when_its_reader_cannot_be_identified(String path) throws Exception {
        try (LiveStream stream = LiveStream.open(client, path)) {
            stream.readUntil(":");
            identity = () -> {
                throw new Unavailable("gone", null);
            };
            assertThat(stream.readToEnd()).doesNotContain("data");
        }
        await().until(() -> listeners() == 0);
    }

    @Test
    void a_quiet_stream_ends_when_its_reader_loses_the_right() throws Exception {
        try (LiveStream stream = LiveStream.open(client, AUDIT)) {
            stream.readUntil(":");
            identity = () -> known(Role.AGENT, new AgentId("reader"));
            assertThat(stream.readToEnd()).doesNotContain("data");
        }
    }

    @Test
    void a_stream_ends_when_its_reader_changes_tenant() throws Exception {
        try (LiveStream stream = LiveStream.open(client, APPROVALS)) {
            identity = () -> new Identity.Known(Principal.of(new TenantId("other"), Role.ADMIN, "key:test", null));
            ask("theirs", "asker");
            assertThat(stream.readToEnd()).doesNotContain("theirs");
        }
    }

    private int listeners() {
        return approvals.feed().listeners() + audit.listeners();
    }

    private void ask(String request, String agent) {
        database.jdbi().useHandle(handle -> handle.createUpdate("""
                        INSERT INTO approvals (tenant_id, request_id, agent_id, tool_name, arguments, arguments_digest,
                            reason, expires_at)
                        VALUES ('default', :request, :agent, 'write', '{}', '\\x00', 'why', now() + interval '1 hour')""")
                .bind("request", request)
                .bind("agent", agent)
                .execute());
    }

    private static Identity known(Role role, @Nullable AgentId agent) {
        return new Identity.Known(Principal.of(Principal.FIRST_TENANT, role, "key:test", agent));
    }
}
