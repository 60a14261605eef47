package dev.toolgate.client.testing;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.toolgate.client.Toolgate;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * A gate for unit tests of agents: a small HTTP server in this process, which decides by a table of agents and tools
 * and returns the results that a test configures. Its clients are real ones.
 *
 * <pre>{@code
 * try (MockToolgate gate = MockToolgate.start(Map.of("writer", List.of("file_read")))) {
 *     gate.returning("file_read", "hello");
 *     String text = gate.client("writer").execute("file_read", Map.of("path", "a.txt")).data();
 * }
 * }</pre>
 */
public final class MockToolgate implements AutoCloseable {
    private static final String KEY = "tg_mock";

    private final MockGate gate;
    private final HttpServer server;

    private MockToolgate(MockGate gate, HttpServer server) {
        this.gate = gate;
        this.server = server;
    }

    /** Starts a gate with these agents and the tools that each may use. */
    public static MockToolgate start(Map<String, ? extends Collection<String>> permissions) {
        try {
            HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
            MockGate gate = new MockGate(permissions);
            server.createContext("/", exchange -> answer(gate, exchange));
            server.start();
            return new MockToolgate(gate, server);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /**
     * A tool returns this: text, or anything that can be written as JSON. Tools that are not configured return "ok".
     */
    public MockToolgate returning(String tool, Object result) {
        return answering(tool, parameters -> result);
    }

    /** A tool returns the result of this function, or fails with its exception. */
    public MockToolgate answering(String tool, Function<Map<String, Object>, Object> result) {
        gate.tool(tool, result);
        return this;
    }

    /** A tool fails. */
    public MockToolgate failing(String tool, String message) {
        return answering(tool, parameters -> {
            throw new IllegalStateException(message);
        });
    }

    /** Calls of this tool need an approval, with this outcome. */
    public MockToolgate holding(String tool, MockApprovals approvals) {
        gate.hold(tool, approvals);
        return this;
    }

    /** A client of this gate that calls as this agent; like an orchestrator, it may act for the other agents. */
    public Toolgate client(String agent) {
        return Toolgate.builder().url(url()).key(KEY).agent(agent).build();
    }

    /** The address, for clients that the test makes itself. */
    public String url() {
        return "http://" + InetAddress.getLoopbackAddress().getHostAddress() + ":"
                + server.getAddress().getPort();
    }

    /** The key that it accepts. */
    public String key() {
        return KEY;
    }

    /** Makes a call without a client, and returns the body of the answer. */
    public Map<String, Object> executeTool(String agent, String tool, Map<String, Object> parameters) {
        return gate.execute(agent, tool, parameters);
    }

    /** The calls so far, in their order. */
    public List<MockCall> calls() {
        return gate.calls();
    }

    /**
     * Checks that a call of this tool was denied to one agent and then made by another one.
     *
     * @throws AssertionError if not
     */
    public void assertEscalated(String tool) {
        List<MockCall> calls = calls();
        for (int i = 0; i < calls.size(); i++) {
            MockCall denied = calls.get(i);
            boolean escalated = denied.tool().equals(tool)
                    && denied.outcome().equals("denied")
                    && calls.subList(i + 1, calls.size()).stream()
                            .anyMatch(later -> later.tool().equals(tool)
                                    && later.parameters().equals(denied.parameters())
                                    && !later.agent().equals(denied.agent()));
            if (escalated) {
                return;
            }
        }
        throw new AssertionError("No denied call of '" + tool + "' was made by another agent; the calls were " + calls);
    }

    @Override
    public void close() {
        server.stop(0);
    }

    private static void answer(MockGate gate, HttpExchange exchange) throws IOException {
        try (exchange) {
            byte[] body = exchange.getRequestBody().readAllBytes();
            boolean known =
                    ("Bearer " + KEY).equals(exchange.getRequestHeaders().getFirst("Authorization"));
            MockAnswer answer = known
                    ? gate.answer(
                            exchange.getRequestMethod(),
                            exchange.getRequestURI().getPath(),
                            body)
                    : MockAnswer.error(401, "UNAUTHORIZED", "The request shows no credentials.");
            byte[] content = answer.content();
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            exchange.getResponseHeaders().set("X-Correlation-ID", "mock");
            if (answer.status() == 202) {
                exchange.getResponseHeaders().set("Retry-After", answer.retryAfter());
            }
            exchange.sendResponseHeaders(answer.status(), content.length);
            exchange.getResponseBody().write(content);
        }
    }
}
