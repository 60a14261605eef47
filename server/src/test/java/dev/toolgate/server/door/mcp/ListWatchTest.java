package dev.toolgate.server.door.mcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.call.Unavailable;
import dev.toolgate.core.identity.Principal;
import dev.toolgate.core.identity.Role;
import dev.toolgate.core.json.Json;
import dev.toolgate.mcp.jsonrpc.RpcId;
import dev.toolgate.mcp.jsonrpc.RpcMessage;
import dev.toolgate.mcp.protocol.ClientCapabilities;
import dev.toolgate.mcp.protocol.Implementation;
import dev.toolgate.mcp.protocol.Revision;
import dev.toolgate.mcp.server.EngineSettings;
import dev.toolgate.mcp.server.McpEngine;
import dev.toolgate.mcp.server.Peer;
import dev.toolgate.mcp.server.PeerSession;
import dev.toolgate.mcp.server.SessionRecord;
import dev.toolgate.mcp.server.SessionRelay;
import dev.toolgate.mcp.server.Subscription;
import dev.toolgate.mcp.server.offer.CallOutcome;
import dev.toolgate.mcp.server.offer.ListPage;
import dev.toolgate.mcp.server.offer.OfferedTools;
import dev.toolgate.mcp.server.offer.RequestContext;
import dev.toolgate.mcp.server.offer.ServerOffer;
import dev.toolgate.mcp.server.offer.ToolInvocation;
import dev.toolgate.server.door.mcp.ListWatch.Kind;
import dev.toolgate.server.door.mcp.ListWatch.Listed;
import dev.toolgate.store.Database;
import dev.toolgate.store.MigratedDatabase;
import dev.toolgate.store.connection.DatabaseListener;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.node.ObjectNode;

/** Which changes of a list its callers are notified of, with the real notifications of the database. */
@Timeout(120)
class ListWatchTest {
    private static final Duration SOON = Duration.ofSeconds(30);
    private static final Duration RARELY = Duration.ofHours(1);
    private static final McpCaller CALLER = caller(Role.AGENT, "agent_1");

    private final AtomicInteger computations = new AtomicInteger();
    private final McpEngine engine = new McpEngine(
            new ServerOffer(new Implementation("t", "1"), null, new NoTools(), null, null, null, null, Map.of()),
            SessionRelay.NONE,
            EngineSettings.DEFAULT);
    private volatile String tool = "first";
    private volatile boolean unavailable;
    private volatile Duration later = Duration.ZERO;
    private Database database;
    private DatabaseListener.@Nullable Subscription watching;

    private static final class NoTools implements OfferedTools {
        @Override
        public ListPage list(RequestContext context, @Nullable String cursor) {
            throw new AssertionError("tools/list is not expected");
        }

        @Override
        public CallOutcome call(RequestContext context, ToolInvocation invocation) {
            throw new AssertionError("tools/call is not expected");
        }
    }

    private record Session(String id) implements PeerSession {
        @Override
        public SessionRecord record() {
            return new SessionRecord(CALLER.key(), Revision.R2025_11_25, null, ClientCapabilities.NONE, null, Set.of());
        }

        @Override
        public void update(UnaryOperator<SessionRecord> change) {
            throw new AssertionError("No change is expected");
        }

        @Override
        public Set<String> subscribedResources() {
            return Set.of();
        }
    }

    private static McpCaller caller(Role role, @Nullable String agent) {
        return new McpCaller(
                Principal.of(new TenantId("default"), role, "token:sub", agent == null ? null : new AgentId(agent)),
                null,
                null,
                "correlation",
                null,
                ToolListMode.ALL);
    }

    @BeforeEach
    void open() throws Exception {
        database = Database.open(MigratedDatabase.fresh());
    }

    @AfterEach
    void close() throws Exception {
        if (watching != null) {
            watching.close();
        }
        engine.close();
        database.close();
    }

    private ListWatch watch(Duration interval) {
        ListWatch watch = new ListWatch(_ -> {}, interval, () -> System.nanoTime() + later.toNanos());
        watch.notifyThrough(engine, Map.of(Kind.TOOLS, _ -> {
            computations.incrementAndGet();
            return list();
        }));
        watching = database.listener().subscribe(watch);
        return watch;
    }

    private List<Listed> list() {
        if (unavailable) {
            throw new Unavailable("The database cannot be reached now.", null);
        }
        return List.of(new Listed(tool, 1));
    }

    private Subscription stream(String session) {
        return Objects.requireNonNull(engine.listen(new Session(session), CALLER));
    }

    private Subscription listen(String params) throws InterruptedException {
        return Objects.requireNonNull(engine.listen(
                new RpcMessage.Request(RpcId.of(1), "subscriptions/listen", (ObjectNode) Json.MAPPER.readTree(params)),
                new Peer(Revision.R2026_07_28, null, ClientCapabilities.NONE, null, CALLER, null, null)));
    }

    private void notifyWatchers() {
        database.jdbi().useHandle(handle -> handle.execute("SELECT pg_notify('toolgate_permissions', 'default')"));
    }

    private static void assertNotified(Subscription stream) throws InterruptedException {
        assertThat(stream.next(SOON)).isInstanceOfSatisfying(Subscription.Send.class, sent -> assertThat(
                        ((RpcMessage.Notification) sent.message()).method())
                .isEqualTo("notifications/tools/list_changed"));
    }

    private static void assertNothing(Subscription stream) throws InterruptedException {
        assertThat(stream.next(Duration.ZERO)).isInstanceOf(Subscription.Idle.class);
    }

    @Test
    void a_change_between_reading_and_listening_is_notified() throws Exception {
        ListWatch watch = watch(RARELY);
        watch.listed(CALLER, Kind.TOOLS, list());
        assertNothing(stream("before"));

        tool = "second";

        assertNotified(stream("after"));
    }

    @Test
    void a_caller_that_read_different_lists_is_notified_when_it_listens() throws Exception {
        ListWatch watch = watch(RARELY);
        watch.listed(CALLER, Kind.TOOLS, list());
        tool = "second";
        watch.listed(CALLER, Kind.TOOLS, list());
        tool = "first";

        assertNotified(stream("one"));
    }

    @Test
    void all_streams_of_a_caller_are_notified_if_one_has_read_the_new_list() throws Exception {
        ListWatch watch = watch(RARELY);
        watch.listed(CALLER, Kind.TOOLS, list());
        Subscription one = stream("one");
        Subscription two = stream("two");

        tool = "second";
        watch.listed(CALLER, Kind.TOOLS, list());
        notifyWatchers();

        assertNotified(one);
        assertNotified(two);
    }

    @Test
    void all_streams_of_a_caller_are_notified_if_another_is_opened_first() throws Exception {
        ListWatch watch = watch(RARELY);
        watch.listed(CALLER, Kind.TOOLS, list());
        Subscription one = stream("one");

        tool = "second";
        stream("two");

        assertNotified(one);
    }

    @Test
    void a_stream_opened_after_a_change_notifies_no_other() throws Exception {
        ListWatch watch = watch(RARELY);
        watch.listed(CALLER, Kind.TOOLS, list());
        Subscription one = stream("one");
        tool = "second";
        Subscription two = stream("two");
        assertNotified(one);
        assertNotified(two);

        Subscription three = stream("three"); // its client may have read the list before the change

        assertNotified(three);
        assertNothing(one);
        assertNothing(two);
    }

    @Test
    void a_stream_opened_long_after_a_change_is_not_notified() throws Exception {
        ListWatch watch = watch(RARELY);
        watch.listed(CALLER, Kind.TOOLS, list());
        assertNothing(stream("one"));
        tool = "second";
        assertNotified(stream("two"));

        later = Duration.ofMinutes(10);

        assertNothing(stream("three"));
    }

    @Test
    void a_list_that_one_has_read_and_that_changed_back_is_notified() throws Exception {
        ListWatch watch = watch(RARELY);
        watch.listed(CALLER, Kind.TOOLS, list());
        Subscription one = stream("one");
        tool = "second";
        watch.listed(CALLER, Kind.TOOLS, list());
        tool = "first";

        notifyWatchers();

        assertNotified(one);
        int before = computations.get();
        notifyWatchers();
        await().until(() -> computations.get() > before);
        assertNothing(one);
    }

    @Test
    void a_stream_opened_while_lists_are_unavailable_notifies_no_other() throws Exception {
        watch(RARELY);
        Subscription one = stream("one");
        unavailable = true;

        Subscription two = stream("two");

        assertNotified(two);
        assertNothing(one);
    }

    @Test
    void only_the_lists_that_a_stream_subscribes_to_are_computed() throws Exception {
        watch(RARELY);

        Subscription resourcesOnly = listen("{\"notifications\": {\"resourcesListChanged\": true}}");
        assertThat(computations).hasValue(0);
        Subscription tools = listen("{\"notifications\": {\"toolsListChanged\": true}}");
        assertThat(computations).hasValue(1);

        resourcesOnly.close();
        tools.close();
    }

    @Test
    void changes_during_an_outage_of_the_listener_are_notified() throws Exception {
        watch(RARELY);
        Subscription stream = stream("one");
        notifyWatchers();
        await().until(() -> computations.get() >= 2);

        tool = "second";
        database.jdbi().useHandle(handle -> handle.execute("""
                SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                WHERE datname = current_database() AND pid <> pg_backend_pid()"""));

        assertNotified(stream);
    }

    @Test
    void a_change_without_a_notification_is_noticed_later() throws Exception {
        watch(Duration.ofMillis(50));
        Subscription stream = stream("one");

        tool = "second"; // such as by a grant that expires

        assertNotified(stream);
    }

    @Test
    void lists_that_stay_the_same_are_not_notified() throws Exception {
        ListWatch watch = watch(Duration.ofMillis(50));
        watch.listed(CALLER, Kind.TOOLS, list());
        Subscription stream = stream("one");

        await().until(() -> computations.get() >= 4);

        assertNothing(stream);
    }

    @Test
    void callers_of_one_name_with_other_roles_and_agents_are_others() {
        assertThat(caller(Role.AGENT, "agent_2").key()).isNotEqualTo(CALLER.key());
        assertThat(caller(Role.ADMIN, null).key())
                .isNotEqualTo(caller(Role.ORCHESTRATOR, null).key())
                .startsWith("default\n");
        assertThat(caller(Role.AGENT, "agent_1").key()).isEqualTo(CALLER.key());
    }
}
