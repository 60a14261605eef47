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
    void whoever_wants_a_connection_has_a_turn_while_others_are_served() throws Exception {
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
    void when_no_connection_comes_back_nobody_waits_for_one() throws Exception {
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

    /** Takes long enough for a crowd of them to wait longer than the pool lets anybody wait at a time. */
    private static int slowly(Database database, int number) {
        return database.jdbi().withHandle(handle -> handle.createQuery("SELECT :number FROM pg_sleep(0.15)")
                .bind("number", number)
                .mapTo(Integer.class)
                .one());
    }

    @Test
    void a_wrong_password_is_refused_and_never_told() throws Exception {
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
    void a_server_that_is_not_there_is_named() {
        assertThatThrownBy(() -> Database.open(Path.of("unused"), "postgres://me:hidden@127.0.0.1:1/audit"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("127.0.0.1:1/audit")
                .hasMessageNotContaining("hidden");
    }

    @Test
    void migrations_run_once_and_their_text_is_taken_as_it_is() throws Exception {
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
    void a_database_of_something_else_is_left_alone() throws Exception {
        DatabaseUrl url = SharedPostgres.newDatabase();
        try (Connection connection = DriverManager.getConnection(url.jdbcUrl(), url.user(), url.password())) {
            connection.createStatement().execute("CREATE TABLE of_something_else ()");
        }

        assertThatThrownBy(() -> Database.open(url))
                .isInstanceOf(IOException.class)
                .hasMessage("The database at " + url
                        + " cannot be brought up to date: it holds tables of something else; name an empty database");
    }
}
