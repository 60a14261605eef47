package dev.toolgate.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.toolgate.runtime.network.AddressPolicy;
import dev.toolgate.runtime.network.AllowlistProxy;
import dev.toolgate.runtime.network.ProxyLimits;
import dev.toolgate.runtime.network.Resolver;
import dev.toolgate.runtime.platform.Account;
import dev.toolgate.runtime.platform.WorkspaceAccount;
import dev.toolgate.runtime.sandbox.command.CommandRequest;
import dev.toolgate.runtime.sandbox.command.EgressProxy;
import dev.toolgate.runtime.sandbox.command.RunningCommand;
import dev.toolgate.runtime.sandbox.command.SandboxSettings;
import dev.toolgate.runtime.sandbox.command.bubblewrap.BubblewrapSandbox;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A confined command with the real proxy reaches the allowed name and nothing else. */
class ConfinedNetworkTest {
    @TempDir
    private Path workspace;

    private final AtomicInteger hits = new AtomicInteger();
    private HttpServer site;

    @BeforeEach
    void open() throws IOException {
        Files.setPosixFilePermissions(workspace, PosixFilePermissions.fromString("rwxr-xr-x"));
        WorkspaceAccount.changeOwner(workspace, WorkspaceAccount.of(workspace));
        site = HttpServer.create(new InetSocketAddress(InetAddress.getByName("127.0.0.2"), 0), 0);
        site.createContext("/", exchange -> {
            hits.incrementAndGet();
            byte[] page = "a page".getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, page.length);
            exchange.getResponseBody().write(page);
            exchange.close();
        });
        site.start();
    }

    @AfterEach
    void close() {
        site.stop(0);
    }

    @Test
    void the_allowed_name_is_reached_through_the_proxy() throws Exception {
        assertThat(fetch("http://allowed.test:" + port() + "/")).isEqualTo("a page");
        assertThat(hits).hasValue(1);
    }

    @Test
    void another_name_of_the_same_server_is_refused() throws Exception {
        assertThat(fetch("http://other.test:" + port() + "/")).contains("403");
        assertThat(hits).hasValue(0);
    }

    @Test
    void an_allowed_name_with_a_private_address_is_refused() throws Exception {
        assertThat(fetch("http://inside.allowed.test:" + port() + "/")).contains("403");
        assertThat(hits).hasValue(0);
    }

    @Test
    void the_server_cannot_be_reached_without_the_proxy() throws Exception {
        assertThat(run("perl -MIO::Socket::INET -e 'print IO::Socket::INET->new(PeerAddr => \"127.0.0.2:" + port()
                        + "\") ? \"connected\" : \"refused\"'"))
                .isEqualTo("refused");
        assertThat(hits).hasValue(0);
    }

    private int port() {
        return site.getAddress().getPort();
    }

    private String fetch(String url) throws Exception {
        return run("python3 -c 'import urllib.request, urllib.error\n"
                + "try: print(urllib.request.urlopen(\"" + url + "\").read().decode(), end=\"\")\n"
                + "except urllib.error.HTTPError as e: print(e.code)'");
    }

    private String run(String command) throws Exception {
        Path real = workspace.toRealPath();
        try (BubblewrapSandbox sandbox = BubblewrapSandbox.open(
                        WorkspaceAccount::of, SandboxSettings.standard().withWarm(0, 0), this::proxy);
                RunningCommand running = sandbox.start(CommandRequest.inWholeWorkspace(
                        command, real, real, Map.of(), List.of("allowed.test", "*.allowed.test")))) {
            assertThat(running.waitFor(Duration.ofSeconds(30))).isPresent();
            return new String(running.stdout().readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    // Everything stays on loopback: here 127.0.0.2 counts as public and 127.0.0.1 as private.
    private EgressProxy proxy(List<String> domains) {
        AddressPolicy policy = (_, address, _) ->
                address.getHostAddress().equals("127.0.0.2") ? Optional.empty() : Optional.of("a private address");
        Resolver resolver =
                host -> List.of(InetAddress.getByName(host.equals("inside.allowed.test") ? "127.0.0.1" : "127.0.0.2"));
        try {
            Account account = WorkspaceAccount.of(workspace);
            return AllowlistProxy.start(
                    Path.of(System.getProperty("java.io.tmpdir")),
                    account,
                    domains,
                    policy,
                    resolver,
                    new ProxyLimits(8, Duration.ofSeconds(10), Duration.ofSeconds(30), Set.of(port())));
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }
}
