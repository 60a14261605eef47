package dev.toolgate.store.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.RequestId;
import dev.toolgate.core.call.TenantId;
import dev.toolgate.store.Database;
import dev.toolgate.store.MigratedDatabase;
import dev.toolgate.store.mcp.PendingCalls.CallOwner;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class McpTablesTest {
    private static final TenantId TENANT = new TenantId("default");
    private static final CallOwner OWNER = new CallOwner(TENANT, new AgentId("agent_1"), "key:1");
    private static final byte[] DIGEST = {1, 2, 3};

    private Database database;

    @BeforeEach
    void open() throws Exception {
        database = Database.open(MigratedDatabase.fresh());
    }

    @AfterEach
    void close() throws Exception {
        database.close();
    }

    @Test
    void a_session_is_kept_under_a_hash_until_it_is_idle_or_deleted() {
        McpSessionTable sessions = new McpSessionTable(database.jdbi(), Duration.ofHours(1), 2);
        sessions.insert("s1", TENANT, "{}");

        assertThat(sessions.use("s1")).contains("{}");
        assertThat(sessions.update("s1", _ -> "{\"changed\": true}")).contains("{\"changed\": true}");
        assertThat(sessions.use("s1")).contains("{\"changed\": true}");
        assertThat(sessions.use("s2")).isEmpty();
        assertThat(sessions.update("s2", _ -> "{}")).isEmpty();
        assertThat(database.jdbi().<String, RuntimeException>withHandle(handle -> handle.createQuery(
                                "SELECT string_agg(m::text, '') FROM mcp_sessions m")
                        .mapTo(String.class)
                        .one()))
                .doesNotContain("s1");

        database.jdbi()
                .useHandle(
                        handle -> handle.execute("UPDATE mcp_sessions SET last_used_at = now() - interval '2 hours'"));
        assertThat(sessions.use("s1")).isEmpty();
        sessions.deleteIdle();
        assertThat(count("mcp_sessions")).isZero();
    }

    @Test
    void sessions_per_tenant_are_limited_and_the_oldest_are_deleted() {
        McpSessionTable sessions = new McpSessionTable(database.jdbi(), Duration.ofHours(1), 2);
        sessions.insert("s1", TENANT, "{}");
        sessions.insert("s2", TENANT, "{}");
        sessions.insert("s3", TENANT, "{}");

        sessions.trim(new TenantId("other"));
        assertThat(count("mcp_sessions")).isEqualTo(3);
        sessions.trim(TENANT);

        assertThat(sessions.use("s1")).isEmpty();
        assertThat(sessions.use("s3")).isPresent();
        sessions.delete("s3");
        assertThat(sessions.use("s3")).isEmpty();
    }

    @Test
    void a_repeated_call_keeps_its_request_id_until_it_is_collected() {
        PendingCalls pending = new PendingCalls(database.jdbi());
        assertThat(pending.hasAny(OWNER)).isFalse();
        RequestId first = begin(pending, OWNER, "r1");

        assertThat(pending.hasAny(OWNER)).isTrue();
        assertThat(begin(pending, OWNER, "r2")).isEqualTo(first);
        assertThat(begin(pending, new CallOwner(TENANT, OWNER.agent(), "key:2"), "r3"))
                .isEqualTo(new RequestId("r3"));
        assertThat(begin(pending, new CallOwner(TENANT, new AgentId("agent_2"), "key:1"), "r4"))
                .isEqualTo(new RequestId("r4"));
        assertThat(pending.find(new CallOwner(TENANT, OWNER.agent(), "key:2"), first))
                .isEmpty();

        pending.end(OWNER, first);
        assertThat(begin(pending, OWNER, "r5")).isEqualTo(new RequestId("r5"));
    }

    @Test
    void a_task_is_found_after_its_call_was_collected_or_withdrawn() {
        PendingCalls pending = new PendingCalls(database.jdbi());
        RequestId first = begin(pending, OWNER, "r1");
        pending.collected(OWNER, first);
        assertThat(pending.hasAny(OWNER)).isFalse();
        RequestId second = begin(pending, OWNER, "r2");
        assertThat(second).isNotEqualTo(first);
        pending.withdrawn(OWNER, second);

        assertThat(pending.find(OWNER, first).map(PendingCalls.PendingCall::state))
                .contains(PendingCalls.State.WANTED);
        assertThat(pending.find(OWNER, second).map(PendingCalls.PendingCall::state))
                .contains(PendingCalls.State.WITHDRAWN);
        assertThat(pending.note(OWNER, "say", new RequestId("own")).requestId()).isEqualTo(new RequestId("own"));

        pending.deleteOlderThan(Duration.ofDays(1));
        assertThat(count("mcp_pending_calls")).isEqualTo(3);
        database.jdbi()
                .useHandle(handle ->
                        handle.execute("UPDATE mcp_pending_calls SET created_at = now() - interval '2 days'"));
        pending.deleteOlderThan(Duration.ofDays(1));
        assertThat(count("mcp_pending_calls")).isZero();
    }

    private static RequestId begin(PendingCalls pending, CallOwner owner, String fresh) {
        return pending.begin(owner, "say", DIGEST, new RequestId(fresh)).requestId();
    }

    private int count(String table) {
        return database.jdbi()
                .<Integer, RuntimeException>withHandle(handle -> handle.createQuery("SELECT count(*) FROM " + table)
                        .mapTo(Integer.class)
                        .one());
    }
}
