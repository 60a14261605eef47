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

/** Both live streams: nobody who does not listen is kept, and nobody hears what they may not hear any more. */
@Timeout(60)
class LiveStreamsTest {
    private static final String APPROVALS = "/api/v1/approvals/stream";
    private static final String AUDIT = "/api/v1/audit/stream";
    private static final int MOST = 3;

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
        audit = new AuditFeed(database.sessions());
        HttpSettings usual = HttpSettings.on("127.0.0.1", List.of(0));
        server = HttpServer.start(
                new HttpSettings(
                        usual.host(),
                        usual.ports(),
                        usual.idle(),
                        usual.patience(),
                        usual.slowestBody(),
                        usual.mostConnections(),
                        usual.mostRequests(),
                        4 * MOST, // of which one tenant has a quarter
                        Duration.ofMillis(50),
                        usual.grace()),
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
    void asking_for_the_head_of_a_stream_leaves_nobody_listening() {
        for (int i = 0; i < 30; i++) {
            assertThat(client.send("HEAD", APPROVALS, null).status()).isEqualTo(200);
            assertThat(client.send("HEAD", AUDIT, null).status()).isEqualTo(200);
        }
        assertThat(listeners()).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {APPROVALS, AUDIT})
    void a_refused_stream_leaves_nobody_listening(String path) throws Exception {
        List<LiveStream> open = new ArrayList<>();
        for (int i = 0; i < MOST; i++) {
            open.add(LiveStream.open(client, path));
        }
        for (int i = 0; i < 10; i++) {
            assertThat(client.get(path).status()).isEqualTo(503);
        }
        assertThat(listeners()).isEqualTo(MOST);
        open.forEach(LiveStream::close);
        await().until(() -> listeners() == 0);
    }

    @Test
    void what_happens_after_a_stream_began_is_heard_by_it() throws Exception {
        for (int i = 0; i < 5; i++) {
            try (LiveStream stream = LiveStream.open(client, APPROVALS)) {
                ask("heard-" + i, "asker");
                stream.readUntil("heard-" + i);
            }
            await().until(() -> listeners() == 0);
        }
    }

    @Test
    void what_is_shown_is_what_somebody_may_see_at_that_moment() throws Exception {
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
    void a_quiet_stream_ends_when_nobody_can_tell_who_listens(String path) throws Exception {
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
    void a_quiet_stream_ends_when_its_route_is_not_for_its_reader_any_more() throws Exception {
        try (LiveStream stream = LiveStream.open(client, AUDIT)) {
            stream.readUntil(":");
            identity = () -> known(Role.AGENT, new AgentId("reader"));
            assertThat(stream.readToEnd()).doesNotContain("data");
        }
    }

    @Test
    void whoever_belongs_to_another_tenant_now_hears_nothing_more() throws Exception {
        try (LiveStream stream = LiveStream.open(client, APPROVALS)) {
            identity = () -> new Identity.Known(new Principal(new TenantId("other"), Role.ADMIN, "key:test", null));
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
        return new Identity.Known(new Principal(Principal.FIRST_TENANT, role, "key:test", agent));
    }
}
