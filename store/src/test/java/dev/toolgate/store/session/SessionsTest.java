package dev.toolgate.store.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.SessionId;
import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.call.WorkspaceId;
import dev.toolgate.core.policy.PolicyBundle;
import dev.toolgate.store.Database;
import dev.toolgate.store.MigratedDatabase;
import dev.toolgate.store.grant.UnknownTarget;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class SessionsTest {
    private static final TenantId ACME = new TenantId("acme");
    private static final AgentId ALICE = new AgentId("alice");

    private Database database;
    private Sessions sessions;

    @BeforeEach
    void open() throws Exception {
        database = Database.open(MigratedDatabase.fresh());
        database.jdbi().useHandle(handle -> {
            handle.execute("INSERT INTO tenants (tenant_id, name) VALUES ('acme', 'Acme'), ('other', 'Other')");
            handle.execute("INSERT INTO agents (tenant_id, agent_id) VALUES ('acme', 'alice'), ('acme', 'bob')");
        });
        sessions = new Sessions(database.jdbi());
    }

    @AfterEach
    void close() throws Exception {
        database.close();
    }

    @Test
    void a_session_is_stored_with_its_agent_and_found_by_calls() {
        StoredSession made = create("one", Duration.ofHours(1));

        assertThat(made.session().agent()).isEqualTo(ALICE);
        assertThat(made.session().workspace()).isEqualTo(new WorkspaceId("ws"));
        assertThat(made.createdBy()).isEqualTo("key:1");
        assertThat(sessions.find(ACME, new SessionId("one"))).contains(made);
        assertThat(new PostgresPolicies(database.jdbi(), database.dataSource()).find(ACME, new SessionId("one")))
                .contains(made.session());
        assertThat(sessions.find(new TenantId("other"), new SessionId("one"))).isEmpty();
    }

    @Test
    void a_session_needs_an_existing_agent() {
        PolicyBundle bundle = bundle("one", Duration.ofHours(1));

        assertThatThrownBy(() -> sessions.create(bundle, new AgentId("nobody"), null, "key:1"))
                .isInstanceOf(UnknownTarget.class);
    }

    @Test
    void sessions_are_listed_in_pages_and_by_agent() {
        for (String id : List.of("c", "a", "b")) {
            create(id, Duration.ofHours(1));
        }
        sessions.create(bundle("bobs", Duration.ofHours(1)), new AgentId("bob"), null, "key:1");

        assertThat(ids(list(null, null, 2))).containsExactly("a", "b");
        assertThat(ids(list(null, "b", 10))).containsExactly("bobs", "c");
        assertThat(ids(list(Set.of(ALICE), null, 10))).containsExactly("a", "b", "c");
    }

    @Test
    void sessions_are_listed_newest_first_and_by_status() {
        for (String id : List.of("m", "z", "a")) {
            create(id, Duration.ofHours(1));
        }
        create("old", Duration.ofHours(-2));
        sessions.end(ACME, new SessionId("z"));
        List<String> seen = new ArrayList<>();
        SessionFilter.@Nullable Place after = null;
        do {
            List<StoredSession> page = sessions.list(
                    ACME, new SessionFilter(null, null, Instant.now(), SessionFilter.Order.NEWEST_FIRST), after, 1);
            seen.addAll(ids(page));
            after = page.isEmpty()
                    ? null
                    : new SessionFilter.Place(
                            page.getFirst().createdAt(),
                            page.getFirst().session().bundle().sessionId());
        } while (after != null);

        assertThat(seen).containsExactly("old", "a", "z", "m");
        assertThat(ids(sessions.list(ACME, by(SessionFilter.Status.ACTIVE), null, 10)))
                .containsExactly("a", "m");
        assertThat(ids(sessions.list(ACME, by(SessionFilter.Status.ENDED), null, 10)))
                .containsExactly("z");
        assertThat(ids(sessions.list(ACME, by(SessionFilter.Status.EXPIRED), null, 10)))
                .containsExactly("old");
    }

    private static SessionFilter by(SessionFilter.Status status) {
        return new SessionFilter(Set.of(ALICE), status, Instant.now(), SessionFilter.Order.BY_ID);
    }

    @Test
    void only_sessions_that_ended_long_ago_are_deleted() {
        create("running", Duration.ofHours(1));
        create("expired", Duration.ofHours(-2));
        create("just expired", Duration.ofMinutes(-1));
        create("ended", Duration.ofHours(1));
        sessions.end(ACME, new SessionId("ended"));

        assertThat(sessions.deleteEndedBefore(Instant.now().minus(Duration.ofHours(1))))
                .isEqualTo(1);
        assertThat(ids(list(null, null, 10))).containsExactly("ended", "just expired", "running");
        assertThat(sessions.deleteEndedBefore(Instant.now().plus(Duration.ofMinutes(1))))
                .isEqualTo(2);
        assertThat(ids(list(null, null, 10))).containsExactly("running");
    }

    private StoredSession create(String id, Duration lasting) {
        return sessions.create(bundle(id, lasting), ALICE, new WorkspaceId("ws"), "key:1")
                .orElseThrow();
    }

    private static PolicyBundle bundle(String id, Duration lasting) {
        return PolicyBundle.of(
                "1",
                PolicyBundle.SCHEMA_VERSION,
                ACME,
                "user",
                new SessionId(id),
                Instant.now().plus(lasting),
                List.of());
    }

    private static List<String> ids(List<StoredSession> found) {
        return found.stream()
                .map(kept -> kept.session().bundle().sessionId().value())
                .toList();
    }

    private List<StoredSession> list(@Nullable Set<AgentId> agents, @Nullable String after, int limit) {
        return sessions.list(
                ACME,
                new SessionFilter(agents, null, Instant.now(), SessionFilter.Order.BY_ID),
                after == null ? null : new SessionFilter.Place(Instant.EPOCH, new SessionId(after)),
                limit);
    }
}
