package dev.toolgate.runtime.sandbox.command.bubblewrap;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.ServerSocket;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Attacks on network services of the host, such as the server's database. */
class NetworkAttacksTest extends SandboxAttacks {
    private static final String CONNECT = "perl -MSocket -e 'socket(S, %s, SOCK_STREAM, 0) or exit 1;"
            + " print connect(S, %s) ? \"connected\" : \"refused\"'";

    @Test
    void cannot_reach_a_server_by_tcp() throws Exception {
        try (ServerSocket database = new ServerSocket(0, 50, InetAddress.getByName("0.0.0.0"))) {
            AtomicInteger connections = new AtomicInteger();
            Thread.ofVirtual().start(() -> accept(database, connections));

            for (String address : addresses()) {
                String attack = tcp(address, database.getLocalPort());
                assertThat(confined(attack).out()).as(address).isEqualTo("refused");
            }
            assertThat(connections).hasValue(0);

            assertThat(unconfined(tcp("127.0.0.1", database.getLocalPort())).out())
                    .isEqualTo("connected");
            Waiting.until(() -> connections.get() == 1);
        }
    }

    private static void accept(ServerSocket server, AtomicInteger connections) {
        try {
            while (true) {
                server.accept().close();
                connections.incrementAndGet();
            }
        } catch (IOException closed) {
            // The test is over.
        }
    }

    private static List<String> addresses() throws Exception {
        return NetworkInterface.networkInterfaces()
                .flatMap(NetworkInterface::inetAddresses)
                .filter(Inet4Address.class::isInstance)
                .map(InetAddress::getHostAddress)
                .toList();
    }

    private static String tcp(String address, int port) {
        return CONNECT.formatted("PF_INET", "sockaddr_in(" + port + ", inet_aton(\"" + address + "\"))");
    }

    @Test
    void cannot_reach_a_server_by_its_socket_file() throws Exception {
        Path path = fixture.outside.resolve(".s.PGSQL.5432");
        try (ServerSocketChannel database = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            database.bind(UnixDomainSocketAddress.of(path));
            Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwxrwxrwx"));
            String attack = CONNECT.formatted("PF_UNIX", "sockaddr_un(\"" + path + "\")");

            assertThat(confined(attack).out()).isEqualTo("refused");
            assertThat(unconfined(attack).out()).isEqualTo("connected");
        }
    }

    @Test
    void cannot_reach_an_abstract_socket() throws Exception {
        String name = "toolgate-attack-" + System.nanoTime();
        String address = "sockaddr_un(\"\\0" + name + "\")";
        fixture.victim(
                Map.of(),
                "perl",
                "-MSocket",
                "-e",
                "socket(S, PF_UNIX, SOCK_STREAM, 0); bind(S, " + address + "); listen(S, 9); sleep 300");
        String attack = CONNECT.formatted("PF_UNIX", address);

        Waiting.until(() -> unconfined(attack).out().equals("connected"));
        assertThat(confined(attack).out()).isEqualTo("refused");
    }

    @Test
    void has_no_network_but_its_own_loopback() throws Exception {
        assertThat(confined("tail -n +3 /proc/net/dev | grep -v '^ *lo:'; tail -n +2 /proc/net/route")
                        .out())
                .isEmpty();
        assertThat(unconfined("tail -n +3 /proc/net/dev | wc -l").out()).isNotEqualTo("1\n");
        String own = "perl -MIO::Socket::INET -e '$l = IO::Socket::INET->new(Listen => 1, LocalAddr => \"127.0.0.1\");"
                + " print IO::Socket::INET->new(PeerAddr => \"127.0.0.1\", PeerPort => $l->sockport) ? \"ok\" : \"no\"'";
        assertThat(confined(own).out()).isEqualTo("ok");
    }

    @Test
    void cannot_open_sockets_not_isolated_by_namespaces() throws Exception {
        int vsock = 40;
        int packet = 17;
        for (int family : List.of(vsock, packet)) {
            assertThat(confined(syscall(41, 198, family + ", 1, 0")).out()).isEqualTo("-1\n");
        }
    }
}
