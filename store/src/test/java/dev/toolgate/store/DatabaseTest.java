package dev.toolgate.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.toolgate.store.connection.DatabaseUrl;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLTransientConnectionException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.jdbi.v3.core.Jdbi;
import org.junit.jupiter.api.Test;

class DatabaseTest {
    private static final int CONNECTIONS = 16;

    @Test
    void opens_a_named_database_and_runs_statements() throws Exception {
        try (Database database = Database.open(SharedPostgres.newDatabase())) {
            List<Integer> numbers = database.jdbi()
                    .withHandle(handle -> handle.createQuery("SELECT generate_series(1, 3)")
                            .mapTo(Integer.class)
                            .list());

            assertThat(numbers).containsExactly(1, 2, 3);
            assertThat(database.isReachable()).isTrue();
            assertThat(database.embeddedState()).isEmpty();
        }
    }

    @Test
    void callers_wait_for_a_connection_while_the_pool_is_serving_others() throws Exception {
        try (Database database = Database.open(SharedPostgres.newDatabase());
                ExecutorService crowd = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Integer>> answers = IntStream.range(0, 12 * CONNECTIONS)
                    .mapToObj(i -> crowd.submit(() -> slowly(database, i)))
                    .toList();

            for (int i = 0; i < answers.size(); i++) {
                assertThat(answers.get(i).get()).isEqualTo(i);
            }
        }
    }

    @Test
    void callers_fail_fast_when_no_connection_is_returned() throws Exception {
        try (Database database = Database.open(SharedPostgres.newDatabase())) {
            List<Connection> held = new ArrayList<>();
            for (int i = 0; i < CONNECTIONS; i++) {
                held.add(database.dataSource().getConnection());
            }

            assertThat(database.isReachable()).isFalse();
            assertThatThrownBy(() -> database.dataSource().getConnection())
                    .isInstanceOf(SQLTransientConnectionException.class);
            held.removeLast().close();
            assertThat(database.isReachable()).isTrue();
            for (Connection connection : held) {
                connection.close();
            }
        }
    }

    /** Slow enough that many concurrent queries exceed the timeout for one connection. */
    private static int slowly(Database database, int number) {
        return database.jdbi().withHandle(handle -> handle.createQuery("SELECT :number FROM pg_sleep(0.15)")
                .bind("number", number)
                .mapTo(Integer.class)
                .one());
    }

    @Test
    void a_wrong_password_is_reported_without_showing_it() throws Exception {
        DatabaseUrl right = SharedPostgres.newDatabase();
        String setting = right.jdbcUrl().replace("jdbc:postgresql://", "postgres://toolgate:gu%2Fessed@");

        assertThatThrownBy(() -> Database.open(Path.of("unused"), setting))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(right.address())
                .hasMessageContaining("password authentication failed")
                .hasMessageNotContaining("gu/essed")
                .hasMessageNotContaining("gu%2Fessed");
    }

    @Test
    void an_unreachable_server_is_named_without_the_password() {
        assertThatThrownBy(() -> Database.open(Path.of("unused"), "postgres://me:hidden@127.0.0.1:1/audit"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("127.0.0.1:1/audit")
                .hasMessageNotContaining("hidden");
    }

    @Test
    void migrations_run_once_and_placeholders_are_not_replaced() throws Exception {
        DatabaseUrl url = SharedPostgres.newDatabase();
        Database.migrate(url, "classpath:migrations/good");
        Database.migrate(url, "classpath:migrations/good");

        List<String> lines = Jdbi.create(url.jdbcUrl(), url.user(), url.password())
                .withHandle(handle -> handle.createQuery("SELECT line FROM sample")
                        .mapTo(String.class)
                        .list());
        assertThat(lines).containsExactly("${not a placeholder}");
    }

    @Test
    void a_database_of_another_application_is_refused() throws Exception {
        DatabaseUrl url = SharedPostgres.newDatabase();
        try (Connection connection = DriverManager.getConnection(url.jdbcUrl(), url.user(), url.password())) {
            connection.createStatement().execute("CREATE TABLE of_something_else ()");
        }

        assertThatThrownBy(() -> Database.open(url))
                .isInstanceOf(IOException.class)
                .hasMessage("The database at " + url
                        + " cannot be migrated: it has tables of another application; use an empty database");
    }
}
