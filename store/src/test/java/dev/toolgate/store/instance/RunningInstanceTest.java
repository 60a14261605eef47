package dev.toolgate.store.instance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.toolgate.store.Database;
import dev.toolgate.store.MigratedDatabase;
import dev.toolgate.store.connection.DatabaseUrl;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class RunningInstanceTest {
    private static final GateInstance HERE = GateInstance.here("here", Map.of("workspace", "folder:a"));
    private static final GateInstance ELSEWHERE = GateInstance.here("there", Map.of("workspace", "folder:b"));

    private DatabaseUrl url;
    private Database database;

    @BeforeEach
    void open() throws Exception {
        url = MigratedDatabase.fresh();
        database = Database.open(url);
    }

    @AfterEach
    void close() throws Exception {
        database.close();
    }

    @Test
    void an_instance_has_a_row_with_a_heartbeat_while_it_runs() {
        try (RunningInstance instance = RunningInstance.start(database.listener(), "here")) {
            await().until(() -> count("instance_id = '" + instance.id() + "'") == 1);
            sql("UPDATE instances SET seen_at = now() - interval '1 hour'");
            await().until(() -> count("seen_at > now() - interval '3 seconds'") == 1);
        }
        assertThat(count("true")).isZero();
    }

    @Test
    void only_rows_of_dead_instances_are_deleted_by_the_next_one() throws Exception {
        sql("""
                INSERT INTO instances (instance_id, host, process_id)
                SELECT gen_random_uuid(), 'dead', i FROM generate_series(1, 500) AS i""");
        try (Database other = Database.open(url);
                RunningInstance _ = joined(RunningInstance.join(database.listener(), HERE, null, _ -> {}));
                RunningInstance _ = joined(RunningInstance.join(database.listener(), HERE, null, _ -> {}));
                RunningInstance _ = joined(RunningInstance.join(other.listener(), HERE, null, _ -> {}))) {
            assertThat(count("true")).isEqualTo(3);
        }
    }

    @Test
    void an_instance_with_other_files_is_refused_while_the_first_runs() throws Exception {
        try (Database other = Database.open(url)) {
            try (RunningInstance _ = joined(RunningInstance.join(database.listener(), HERE, null, _ -> {}))) {
                assertThat(RunningInstance.join(other.listener(), ELSEWHERE, null, _ -> {}))
                        .isInstanceOfSatisfying(
                                RunningInstance.JoinResult.Conflict.class,
                                conflict -> assertThat(conflict.other().host()).isEqualTo("here"));
                assertThat(count("true")).isOne();
            }
            joined(RunningInstance.join(other.listener(), ELSEWHERE, null, _ -> {}))
                    .close();
        }
    }

    @Test
    void a_conflict_after_an_outage_is_reported_and_the_instance_continues() throws Exception {
        List<GateInstance> conflicts = new CopyOnWriteArrayList<>();
        try (RunningInstance first = joined(RunningInstance.join(database.listener(), HERE, null, conflicts::add))) {
            try (Connection second = database.unpooled().open()) { // registers while the first one is disconnected
                run(second, """
                        WITH me AS (
                            INSERT INTO instances (instance_id, host, process_id, places)
                            VALUES (gen_random_uuid(), 'there', 2, '{"workspace": "folder:b"}') RETURNING number)
                        SELECT pg_advisory_lock(21609, number) FROM me""");
                sql("DELETE FROM instances WHERE instance_id = '" + first.id() + "'");

                await().until(() -> !conflicts.isEmpty());
                assertThat(conflicts.getFirst().host()).isEqualTo("there");
                await().until(() -> count("instance_id = '" + first.id() + "' AND places = '{}'") == 1);
            }
            await().atMost(Duration.ofSeconds(30))
                    .until(() -> count("instance_id = '" + first.id() + "' AND places <> '{}'") == 1);
        }
    }

    private static void run(Connection connection, String statement) throws SQLException {
        try (Statement running = connection.createStatement()) {
            running.execute(statement);
        }
    }

    private static RunningInstance joined(RunningInstance.JoinResult attempt) {
        return ((RunningInstance.JoinResult.Joined) attempt).instance();
    }

    private void sql(String statement) {
        database.jdbi().useHandle(handle -> handle.execute(statement));
    }

    private long count(String condition) {
        return database.jdbi()
                .withHandle(handle -> handle.createQuery("SELECT count(*) FROM instances WHERE " + condition)
                        .mapTo(Long.class)
                        .one());
    }
}
