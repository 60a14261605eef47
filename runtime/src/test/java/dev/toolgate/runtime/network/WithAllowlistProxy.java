package dev.toolgate.runtime.network;

import static dev.toolgate.runtime.network.LoopbackInternet.PRIVATE;
import static dev.toolgate.runtime.network.LoopbackInternet.PUBLIC;

import dev.toolgate.runtime.platform.Account;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** Sets up a simulated internet with a server and a victim, and a proxy that may reach some of it. */
abstract class WithAllowlistProxy {
    static final Duration LONG = Duration.ofSeconds(30);

    final LoopbackInternet internet = new LoopbackInternet()
            .name("good.example", PUBLIC)
            .name("sub.wild.example", PUBLIC)
            .name("inside.example", PRIVATE)
            .name("mixed.example", PUBLIC, PRIVATE)
            .name("rebinding.example", PUBLIC)
            .name("rebinding.example", PRIVATE);

    @TempDir
    Path folder;

    ScriptedServer server;
    ScriptedServer victim;
    AllowlistProxy proxy;

    @BeforeEach
    void start() throws IOException {
        server = ScriptedServer.on(PUBLIC, ScriptedServer.ok("from outside"));
        victim = ScriptedServer.on(PRIVATE, server.port(), ScriptedServer.ok("secret"));
        proxy = proxy(64, LONG, LONG);
    }

    @AfterEach
    void stop() throws IOException {
        proxy.close();
        server.close();
        victim.close();
    }

    AllowlistProxy proxy(int connections, Duration headerTimeout, Duration idleTimeout) throws IOException {
        return AllowlistProxy.start(
                folder,
                self(),
                List.of("good.example", "*.wild.example", "inside.example", "mixed.example", "rebinding.example"),
                LoopbackInternet.POLICY,
                internet,
                limits(connections, headerTimeout, idleTimeout));
    }

    ProxyLimits limits(int connections, Duration headerTimeout, Duration idleTimeout) {
        return new ProxyLimits(connections, headerTimeout, idleTimeout, Set.of(80, 443, server.port()));
    }

    Account self() throws IOException {
        return new Account(
                "self", (int) Files.getAttribute(folder, "unix:uid"), (int) Files.getAttribute(folder, "unix:gid"));
    }
}
