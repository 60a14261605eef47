package dev.toolgate.runtime.network;

import static dev.toolgate.runtime.network.ProxyClient.connect;
import static dev.toolgate.runtime.network.ProxyClient.exchange;
import static dev.toolgate.runtime.network.ProxyClient.receiveAll;
import static dev.toolgate.runtime.network.ProxyClient.send;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.toolgate.runtime.platform.Account;
import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Limits, access control and shutdown of the proxy. */
class AllowlistProxyLifeTest extends WithAllowlistProxy {

    @Test
    void the_number_of_connections_is_bounded() throws Exception {
        try (AllowlistProxy small = proxy(3, LONG, LONG)) {
            List<SocketChannel> clients = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                clients.add(connect(small));
            }
            await().untilAsserted(() -> assertThat(small.openConnections()).isEqualTo(3));
            try (SocketChannel fourth = connect(small)) {
                assertThat(receiveAll(fourth)).startsWith("HTTP/1.1 503 ");
            }
            clients.removeFirst().close();
            await().untilAsserted(() -> assertThat(small.openConnections()).isEqualTo(2));
            assertThat(exchange(small, "GET http://good.example:" + server.port() + "/ HTTP/1.1\r\n\r\n"))
                    .endsWith("from outside");
            for (SocketChannel client : clients) {
                client.close();
            }
        }
    }

    @Test
    void a_client_that_sends_its_head_slowly_is_disconnected() throws Exception {
        try (AllowlistProxy shortTimeout = proxy(64, Duration.ofMillis(300), LONG);
                SocketChannel client = connect(shortTimeout)) {
            send(client, "CONNECT good");
            assertThat(receiveAll(client)).isEmpty();
        }
    }

    @Test
    void an_idle_tunnel_is_closed_on_both_sides() throws Exception {
        try (AllowlistProxy shortTimeout = proxy(64, LONG, Duration.ofMillis(300));
                SocketChannel client = connect(shortTimeout)) {
            send(client, "CONNECT good.example:" + server.port() + " HTTP/1.1\r\n\r\nGET /never-finished");
            assertThat(receiveAll(client)).isEqualTo("HTTP/1.1 200 Connection established\r\n\r\n");
            await().untilAsserted(
                            () -> assertThat(shortTimeout.openConnections()).isZero());
        }
    }

    @Test
    void closing_closes_tunnels_and_removes_the_socket() throws Exception {
        try (SocketChannel client = connect(proxy)) {
            send(client, "CONNECT good.example:" + server.port() + " HTTP/1.1\r\n\r\n");
            await().until(() -> server.hits() == 1);
            proxy.close();
            assertThat(receiveAll(client)).startsWith("HTTP/1.1 200 ");
        }
        await().untilAsserted(() -> assertThat(proxy.openConnections()).isZero());
        assertThat(folder).isEmptyDirectory();
        assertThatThrownBy(() -> connect(proxy)).isInstanceOf(IOException.class);
        proxy.close();
    }

    @Test
    void only_the_account_can_reach_the_socket() throws Exception {
        int uid = (int) Files.getAttribute(folder, "unix:uid");
        Account account = uid == 0 ? new Account("somebody", 54321, 54321) : self();
        try (AllowlistProxy theirs = AllowlistProxy.start(
                folder, account, List.of("good.example"), LoopbackInternet.POLICY, internet, limits(64, LONG, LONG))) {
            Path socket = theirs.socket();
            for (Path path : List.of(socket, socket.getParent())) {
                assertThat(Files.getAttribute(path, "unix:uid")).isEqualTo(account.uid());
                assertThat(Files.getAttribute(path, "unix:gid")).isEqualTo(account.gid());
            }
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(socket.getParent())))
                    .isEqualTo("rwx------");
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(socket)))
                    .isEqualTo("rw-------");
        }
    }

    @ParameterizedTest
    @CsvSource({"54321, 0", "54322, 1"})
    void another_account_cannot_connect(int visitor, int exitCode) throws Exception {
        Assumptions.assumeTrue((int) Files.getAttribute(folder, "unix:uid") == 0, "needs to change accounts");
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx--x--x"));
        try (AllowlistProxy theirs = AllowlistProxy.start(
                folder,
                new Account("somebody", 54321, 54321),
                List.of(),
                LoopbackInternet.POLICY,
                internet,
                ProxyLimits.defaults())) {
            Process test = new ProcessBuilder(
                            "setpriv",
                            "--reuid=" + visitor,
                            "--regid=" + visitor,
                            "--clear-groups",
                            "test",
                            "-w",
                            theirs.socket().toString())
                    .start();
            assertThat(test.waitFor()).isEqualTo(exitCode);
        }
    }
}
