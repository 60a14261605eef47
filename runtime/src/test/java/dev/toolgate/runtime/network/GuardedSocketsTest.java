package dev.toolgate.runtime.network;

import static dev.toolgate.runtime.network.LoopbackInternet.ALSO_PUBLIC;
import static dev.toolgate.runtime.network.LoopbackInternet.PRIVATE;
import static dev.toolgate.runtime.network.LoopbackInternet.PUBLIC;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Connections go to addresses that were checked, and to no others. */
class GuardedSocketsTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    private final LoopbackInternet internet = new LoopbackInternet();
    private final GuardedSockets sockets = new GuardedSockets(LoopbackInternet.POLICY, internet);
    private ServerSocket server;

    @BeforeEach
    void listen() throws IOException {
        server = new ServerSocket(0, 10, InetAddress.ofLiteral(PUBLIC));
    }

    @AfterEach
    void close() throws IOException {
        server.close();
    }

    private Socket connect(String host) throws IOException {
        return sockets.connect(host, server.getLocalPort(), TIMEOUT);
    }

    @Test
    void a_name_is_resolved_once_and_its_address_used() throws IOException {
        internet.name("docs.example", PUBLIC).name("docs.example", PRIVATE);
        try (Socket socket = connect("docs.example")) {
            assertThat(socket.getInetAddress().getHostAddress()).isEqualTo(PUBLIC);
        }
        assertThat(internet.lookups).containsExactly("docs.example");
    }

    @Test
    void a_name_with_one_forbidden_address_is_refused() {
        internet.name("docs.example", PUBLIC, PRIVATE);
        assertThatThrownBy(() -> connect("docs.example"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("may not be reached: it is a loopback address");
    }

    @Test
    void the_next_address_is_tried_when_one_does_not_answer() throws IOException {
        internet.name("docs.example", ALSO_PUBLIC, PUBLIC);
        try (Socket socket = connect("docs.example")) {
            assertThat(socket.getInetAddress().getHostAddress()).isEqualTo(PUBLIC);
        }
    }

    @Test
    void other_spellings_of_forbidden_addresses_are_refused() {
        for (String host : new String[] {"localhost", "127.1", "2130706433", "0x7f000001", "::1", "::ffff:127.0.0.1"}) {
            assertThatThrownBy(() -> connect(host)).as(host).hasMessageContaining("may not be reached");
        }
        assertThatThrownBy(() -> connect("none.example")).hasMessageContaining("cannot be resolved");
    }
}
