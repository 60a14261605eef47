package dev.toolgate.server.console;

import static dev.toolgate.server.RunningServer.ACME;
import static dev.toolgate.server.RunningServer.AGENT;
import static dev.toolgate.server.RunningServer.FIRST;

import dev.toolgate.core.identity.Role;
import dev.toolgate.core.json.Json;
import dev.toolgate.server.RunningServer;
import dev.toolgate.server.signon.RealProvider;
import dev.toolgate.server.signon.SignOnGate;
import dev.toolgate.server.wiring.ToolgateServer;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ThreadLocalRandom;
import tools.jackson.databind.node.ObjectNode;

/**
 * The gates that the browser tests open: the main one, two more on its database (one with single sign-on, one that is
 * restarted), and one with data for screenshots.
 */
final class ConsoleGates implements AutoCloseable {
    private static final String PEOPLE = """
            {"ada": {"name": "Ada", "email": "ada@example.org", "email_verified": true, "groups": ["platform"]},
             "bob": {"name": "Bob", "email": "bob@example.org", "email_verified": true, "groups": ["reviewers"]},
             "eve": {"name": "Eve", "email": "eve@example.org", "email_verified": true, "groups": ["visitors"]}}""";

    private static final int FIRST_PORT = 20_000;
    private static final int LAST_PORT = 30_000;

    private final Deque<AutoCloseable> open = new ArrayDeque<>();
    private final Map<String, String> environment = new TreeMap<>();

    ConsoleGates(Path folder) throws Exception {
        try {
            int model = freePort(); // the browser tests run a scripted model there
            RunningServer main = opened(RunningServer.start(
                    folder.resolve("home"), Map.of("models.ollama.host", "http://127.0.0.1:" + model)));
            main.admin().post("/api/v1/agents", "{\"agent_id\": \"" + AGENT + "\"}");
            environment.put("TOOLGATE_URL", main.url());
            environment.put("KEYS", keys(main).toString());
            environment.put("MODEL_PORT", String.valueOf(model));

            RealProvider provider = opened(new RealProvider(PEOPLE));
            ToolgateServer signOn = opened(main.another(
                    folder.resolve("sign-on"),
                    SignOnGate.settings(provider.issuer(), RealProvider.CLIENT, RealProvider.SECRET)));
            provider.register(signOn.url());
            environment.put("SIGN_ON_URL", signOn.url());
            environment.put("PROVIDER_URL", provider.issuer());

            RestartableGate restartable = opened(new RestartableGate(main, folder, freePort()));
            environment.put("RESTARTABLE_URL", restartable.url());
            environment.put("RESTARTABLE_CONTROL", restartable.controlUrl());

            RunningServer showcase = opened(RunningServer.start(folder.resolve("showcase")));
            Showcase.fill(showcase);
            environment.put("SHOWCASE_URL", showcase.url());
            environment.put("SHOWCASE_KEY", showcase.key(FIRST, Role.ADMIN, null));
        } catch (Exception | AssertionError failed) {
            close();
            throw failed;
        }
    }

    private <T extends AutoCloseable> T opened(T part) {
        open.push(part);
        return part;
    }

    /** The environment variables by which the browser tests find the gates. */
    Map<String, String> environment() {
        return environment;
    }

    /** A free port below those that the system assigns, so that no other program gets it before it is used. */
    private static int freePort() throws IOException {
        int port = ThreadLocalRandom.current().nextInt(FIRST_PORT, LAST_PORT);
        try (ServerSocket _ = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            return port;
        } catch (BindException taken) {
            return freePort();
        }
    }

    private static ObjectNode keys(RunningServer server) {
        ObjectNode keys = Json.MAPPER.createObjectNode();
        for (Role role : Role.values()) {
            keys.put(role.wireName(), server.key(FIRST, role, role == Role.AGENT ? AGENT : null));
        }
        return keys.put("acme", server.key(ACME, Role.ADMIN, null));
    }

    @Override
    public void close() throws IOException {
        while (!open.isEmpty()) {
            try {
                open.pop().close();
            } catch (Exception unclean) {
                throw new IOException("A gate of the tests did not close.", unclean);
            }
        }
    }
}
