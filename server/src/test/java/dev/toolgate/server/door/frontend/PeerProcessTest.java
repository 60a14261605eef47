package dev.toolgate.server.door.frontend;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

class PeerProcessTest {
    private static final String LINE =
            "   7: 0100007F:9C40 0100007F:0BB9 01 00000000:00000000 00:00000000 00000000    33        0 21437 1";
    private static final InetSocketAddress PEER = at(40_000);
    private static final InetSocketAddress LOCAL = at(3001);

    @Test
    void a_proxy_that_runs_as_another_user_is_not_of_the_same_user() {
        assertThat(PeerProcess.isOwned(LINE, PEER, LOCAL, "33")).isTrue();
        assertThat(PeerProcess.isOwned(LINE, PEER, LOCAL, "1000")).isFalse();
    }

    @Test
    void a_line_of_another_connection_does_not_match() {
        assertThat(PeerProcess.isOwned(LINE, at(40_001), LOCAL, "33")).isFalse();
        assertThat(PeerProcess.isOwned(LINE, LOCAL, PEER, "33"))
                .as("our own end")
                .isFalse();
        assertThat(PeerProcess.isOwned("  sl  local_address rem_address   st", PEER, LOCAL, "33"))
                .isFalse();
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void a_program_of_the_same_user_is_recognised_by_its_socket() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                Socket client = new Socket(server.getInetAddress(), server.getLocalPort());
                Socket accepted = server.accept()) {
            InetSocketAddress peer = (InetSocketAddress) accepted.getRemoteSocketAddress();
            InetSocketAddress local = (InetSocketAddress) accepted.getLocalSocketAddress();

            assertThat(PeerProcess.isOfSameUser(peer, local)).isTrue();
            assertThat(PeerProcess.isOfSameUser(at(peer.getPort() ^ 1), local)).isFalse();
            assertThat(client.isConnected()).isTrue();
        }
    }

    private static InetSocketAddress at(int port) {
        return new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), port);
    }
}
