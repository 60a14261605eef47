package dev.toolgate.runtime.sandbox.command.bubblewrap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.toolgate.core.tool.ToolFailure;
import dev.toolgate.runtime.sandbox.command.CommandRequest;
import dev.toolgate.runtime.sandbox.command.EgressProxy;
import dev.toolgate.runtime.sandbox.command.SandboxSettings;
import dev.toolgate.runtime.sandbox.files.DangerousPaths;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Network access of a sandbox through the proxy. */
class AllowedDomainsTest extends WithSandboxFixture {
    private static final String FETCH = "perl -MIO::Socket::INET -e '($h, $p) = $ENV{HTTPS_PROXY} =~ m{//(.*):(.*)};"
            + " for (1..3) { $s = IO::Socket::INET->new(PeerAddr => $h, PeerPort => $p) or die;"
            + " print $s \"CONNECT example.com:443 HTTP/1.1\\r\\n\\r\\n\"; shutdown $s, 1; print while <$s> }'";

    private final List<String> asked = new CopyOnWriteArrayList<>();

    @Test
    void a_command_with_allowed_domains_reaches_the_proxy_and_nothing_else() throws Exception {
        try (BubblewrapSandbox sandbox = BubblewrapSandbox.open(
                        _ -> fixture.account, SandboxSettings.standard(), domains -> new Echo(domains));
                ServerSocket database = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            CommandRequest request = request(FETCH);

            assertThat(SandboxFixture.run(sandbox, request).out()).isEqualTo("HTTP/1.1 200 hello\n".repeat(3));
            assertThat(asked)
                    .containsExactly(
                            "[example.com] CONNECT example.com:443 HTTP/1.1",
                            "[example.com] CONNECT example.com:443 HTTP/1.1",
                            "[example.com] CONNECT example.com:443 HTTP/1.1");
            String direct = "perl -MIO::Socket::INET -e 'print IO::Socket::INET->new(PeerAddr => \"127.0.0.1\","
                    + " PeerPort => " + database.getLocalPort() + ") ? \"connected\" : \"refused\"'";
            assertThat(SandboxFixture.run(sandbox, request(direct)).out()).isEqualTo("refused");
            assertThat(SandboxFixture.run(
                                    sandbox,
                                    CommandRequest.inWholeWorkspace(
                                            "ls /run; echo $HTTPS_PROXY",
                                            fixture.workspace,
                                            fixture.workspace,
                                            Map.of(),
                                            List.of()))
                            .out())
                    .isEqualTo("\n");
        }
        assertThat(fixture.base.resolve("proxy.sock")).doesNotExist();
    }

    @ParameterizedTest
    @ValueSource(strings = {"python3", "perl"})
    void the_relay_works_with_python_and_perl(String program) throws Exception {
        Optional<Path> found = SandboxPrograms.find(program);
        String script = program.equals("perl")
                ? ProxyRelay.script(Optional.empty(), found)
                : ProxyRelay.script(found, Optional.empty());
        WorkspaceShape shape = WorkspaceShape.of(fixture.workspace, DangerousPaths.standard());
        try (Echo proxy = new Echo(List.of("example.com"));
                Profiles profiles = new Profiles(_ -> fixture.account, SandboxSettings.standard());
                SandboxProcess sandbox = SandboxProcess.start(
                        profiles.of(fixture.workspace)
                                .line(shape, VisibleParts.whole(shape), proxy.socket(), script + InnerScript.SCRIPT),
                        shape)) {
            sandbox.sendCommand(InnerScript.header(request(FETCH), ProxyRelay.environment()));

            assertThat(sandbox.monitor().getInputStream().readAllBytes())
                    .asString(StandardCharsets.UTF_8)
                    .isEqualTo("HTTP/1.1 200 hello\n".repeat(3));
        }
    }

    @Test
    void names_what_to_install_if_no_relay_can_run() {
        assertThatThrownBy(() -> ProxyRelay.script(Optional.empty(), Optional.empty()))
                .isInstanceOf(ToolFailure.class)
                .hasMessageContaining("python3 or perl");
    }

    private CommandRequest request(String command) {
        return CommandRequest.inWholeWorkspace(
                command, fixture.workspace, fixture.workspace, Map.of(), List.of("example.com"));
    }

    /** Answers every request the same way and records requests. */
    private final class Echo implements EgressProxy {
        private final Path socket = fixture.base.resolve("proxy.sock");
        private final ServerSocketChannel channel;

        Echo(List<String> domains) {
            try {
                channel = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
                channel.bind(UnixDomainSocketAddress.of(socket));
                Files.setPosixFilePermissions(socket, PosixFilePermissions.fromString("rwxrwxrwx"));
            } catch (IOException failed) {
                throw new UncheckedIOException(failed);
            }
            Thread.ofVirtual().start(() -> serve(domains));
        }

        private void serve(List<String> domains) {
            try {
                while (true) {
                    try (SocketChannel client = channel.accept()) {
                        String request =
                                new String(Channels.newInputStream(client).readAllBytes(), StandardCharsets.UTF_8);
                        asked.add(domains + " " + request.strip());
                        client.write(ByteBuffer.wrap("HTTP/1.1 200 hello\n".getBytes(StandardCharsets.UTF_8)));
                    }
                }
            } catch (IOException closed) {
                // The command is over.
            }
        }

        @Override
        public Path socket() {
            return socket;
        }

        @Override
        public void close() {
            try {
                channel.close();
                Files.deleteIfExists(socket);
            } catch (IOException failed) {
                throw new UncheckedIOException(failed);
            }
        }
    }
}
