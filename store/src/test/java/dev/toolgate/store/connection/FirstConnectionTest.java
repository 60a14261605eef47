package dev.toolgate.store.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.toolgate.store.SharedPostgres;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.sql.Connection;
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
    void retries_until_a_slow_server_answers() throws Exception {
        DatabaseUrl database = SharedPostgres.server().url();
        try (SlowProxy proxy = new SlowProxy(database, 2)) {
            try (Connection first = new FirstConnection(connections(proxy.to(database)), () -> true, LONG).await()) {
                assertThat(first.isValid(10)).isTrue();
            }

            assertThat(proxy.connects).hasValue(3);
        }
    }

    @Test
    void does_not_retry_if_the_server_has_ended() throws Exception {
        DatabaseUrl database = SharedPostgres.server().url();
        try (SlowProxy proxy = new SlowProxy(database, Integer.MAX_VALUE)) {
            assertThatThrownBy(() -> new FirstConnection(connections(proxy.to(database)), () -> false, LONG).await())
                    .isInstanceOf(SQLException.class);
            assertThat(proxy.connects).hasValue(1);
        }
    }

    @Test
    void reports_a_wrong_password_at_once() throws Exception {
        DatabaseUrl database = SharedPostgres.server().url();
        try (SlowProxy proxy = new SlowProxy(database, 0)) {
            DatabaseUrl wrong = new DatabaseUrl(proxy.to(database).jdbcUrl(), database.user(), "wrong");

            assertThatThrownBy(() -> new FirstConnection(connections(wrong), () -> true, LONG).await())
                    .isInstanceOf(SQLException.class)
                    .hasMessageContaining("password");
            assertThat(proxy.connects).hasValue(1);
        }
    }

    private static UnpooledConnections connections(DatabaseUrl url) {
        return () -> DriverManager.getConnection(url.jdbcUrl(), PoolSettings.forDriver(url));
    }

    /** A proxy to a database that does not answer the first connections. */
    private static final class SlowProxy implements AutoCloseable {
        final AtomicInteger connects = new AtomicInteger();
        private final ServerSocket listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        private final Collection<Socket> sockets = new ConcurrentLinkedQueue<>();
        private final int target;
        private final int unanswered;

        SlowProxy(DatabaseUrl database, int unanswered) throws IOException {
            this.target = Integer.parseInt(database.jdbcUrl().replaceFirst(".*:(\\d+)/.*", "$1"));
            this.unanswered = unanswered;
            Thread.ofVirtual().start(this::accept);
        }

        DatabaseUrl to(DatabaseUrl database) {
            String url = database.jdbcUrl().replaceFirst("//[^/]*/", "//127.0.0.1:" + listener.getLocalPort() + "/");
            return new DatabaseUrl(url, database.user(), database.password());
        }

        private void accept() {
            try {
                while (true) {
                    Socket near = listener.accept();
                    sockets.add(near);
                    if (connects.incrementAndGet() > unanswered) {
                        Socket far = new Socket(InetAddress.getLoopbackAddress(), target);
                        sockets.add(far);
                        Thread.ofVirtual().start(() -> pass(near, far));
                        Thread.ofVirtual().start(() -> pass(far, near));
                    }
                }
            } catch (IOException closed) {
                // the test has ended
            }
        }

        private static void pass(Socket from, Socket to) {
            try (from;
                    to) {
                from.getInputStream().transferTo(to.getOutputStream());
            } catch (IOException closed) {
                // the other side is closed too
            }
        }

        @Override
        public void close() throws IOException {
            listener.close();
            for (Socket socket : sockets) {
                socket.close();
            }
        }
    }
}
