package dev.toolgate.store.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.toolgate.store.SharedPostgres;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class FirstConnectionTest {
    private static final Duration LONG = Duration.ofMinutes(2);

    @Test
    void a_server_that_answers_only_the_third_time_is_waited_for() throws Exception {
        DatabaseUrl database = SharedPostgres.server().url();
        try (SlowDoor door = new SlowDoor(database, 2)) {
            new FirstConnection(sessions(door.to(database)), () -> true, LONG).await();

            assertThat(door.knocks).hasValue(3);
        }
    }

    @Test
    void a_server_that_has_ended_is_not_waited_for() throws Exception {
        DatabaseUrl database = SharedPostgres.server().url();
        try (SlowDoor door = new SlowDoor(database, Integer.MAX_VALUE)) {
            assertThatThrownBy(() -> new FirstConnection(sessions(door.to(database)), () -> false, LONG).await())
                    .isInstanceOf(SQLException.class);
            assertThat(door.knocks).hasValue(1);
        }
    }

    @Test
    void a_wrong_password_is_said_at_once() throws Exception {
        DatabaseUrl database = SharedPostgres.server().url();
        try (SlowDoor door = new SlowDoor(database, 0)) {
            DatabaseUrl wrong = new DatabaseUrl(door.to(database).jdbcUrl(), database.user(), "wrong");

            assertThatThrownBy(() -> new FirstConnection(sessions(wrong), () -> true, LONG).await())
                    .isInstanceOf(SQLException.class)
                    .hasMessageContaining("password");
            assertThat(door.knocks).hasValue(1);
        }
    }

    private static UnpooledConnections sessions(DatabaseUrl url) {
        return () -> DriverManager.getConnection(url.jdbcUrl(), PoolSettings.forDriver(url));
    }

    /** A way to a database at which the first ones who knock get no answer. */
    private static final class SlowDoor implements AutoCloseable {
        final AtomicInteger knocks = new AtomicInteger();
        private final ServerSocket entrance = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        private final Collection<Socket> sockets = new ConcurrentLinkedQueue<>();
        private final int target;
        private final int unanswered;

        SlowDoor(DatabaseUrl database, int unanswered) throws IOException {
            this.target = Integer.parseInt(database.jdbcUrl().replaceFirst(".*:(\\d+)/.*", "$1"));
            this.unanswered = unanswered;
            Thread.ofVirtual().start(this::accept);
        }

        DatabaseUrl to(DatabaseUrl database) {
            String url = database.jdbcUrl().replaceFirst("//[^/]*/", "//127.0.0.1:" + entrance.getLocalPort() + "/");
            return new DatabaseUrl(url, database.user(), database.password());
        }

        private void accept() {
            try {
                while (true) {
                    Socket near = entrance.accept();
                    sockets.add(near);
                    if (knocks.incrementAndGet() > unanswered) {
                        Socket far = new Socket(InetAddress.getLoopbackAddress(), target);
                        sockets.add(far);
                        Thread.ofVirtual().start(() -> pass(near, far));
                        Thread.ofVirtual().start(() -> pass(far, near));
                    }
                }
            } catch (IOException closed) {
                // the test is over
            }
        }

        private static void pass(Socket from, Socket to) {
            try (from;
                    to) {
                from.getInputStream().transferTo(to.getOutputStream());
            } catch (IOException closed) {
                // the other side sees it too
            }
        }

        @Override
        public void close() throws IOException {
            entrance.close();
            for (Socket socket : sockets) {
                socket.close();
            }
        }
    }
}
