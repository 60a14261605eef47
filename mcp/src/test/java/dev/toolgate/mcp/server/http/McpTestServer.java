package dev.toolgate.mcp.server.http;

import dev.toolgate.mcp.fixture.ConformanceServer;
import dev.toolgate.mcp.jsonrpc.RpcLimits;
import dev.toolgate.mcp.jsonrpc.RpcReader;
import dev.toolgate.mcp.server.EngineSettings;
import dev.toolgate.mcp.server.InMemorySessionStore;
import dev.toolgate.mcp.server.McpEngine;
import dev.toolgate.mcp.server.ServerChange;
import dev.toolgate.mcp.server.SessionRelay;
import dev.toolgate.mcp.server.SessionStore;
import dev.toolgate.mcp.server.offer.ServerOffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicReference;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The streamable HTTP transport over an engine, without an HTTP server. */
final class McpTestServer implements AutoCloseable {
    static final StreamSettings FAST = new StreamSettings(Duration.ofMillis(20), Duration.ofMillis(20));

    final McpEngine engine;
    private final StreamableHttp http;

    McpTestServer() {
        this(sessions(), SessionRelay.NONE, StreamSettings.DEFAULT);
    }

    McpTestServer(SessionStore sessions, SessionRelay relay, StreamSettings streams) {
        this(fixtureEngine(relay), sessions, streams);
    }

    McpTestServer(ServerOffer offer, StreamSettings streams) {
        this(offer, sessions(), streams);
    }

    McpTestServer(ServerOffer offer, SessionStore sessions, StreamSettings streams) {
        this(new McpEngine(offer, SessionRelay.NONE, EngineSettings.DEFAULT), sessions, streams);
    }

    private McpTestServer(McpEngine engine, SessionStore sessions, StreamSettings streams) {
        this.engine = engine;
        this.http = new StreamableHttp(
                engine,
                sessions,
                new RpcReader(RpcLimits.DEFAULT),
                new OriginPolicy(Set.of("https://good.example")),
                streams);
    }

    private static McpEngine fixtureEngine(SessionRelay relay) {
        AtomicReference<McpEngine> self = new AtomicReference<>();
        McpEngine engine = new McpEngine(
                ConformanceServer.offer(
                        (ServerChange change) -> self.get().subscriptions().publish(change, _ -> true)),
                relay,
                EngineSettings.DEFAULT);
        self.set(engine);
        return engine;
    }

    static InMemorySessionStore sessions() {
        return new InMemorySessionStore(100, Duration.ofMinutes(5), InstantSource.system());
    }

    /** Sends a request whose headers are given as names and values. */
    HttpReply send(String method, String body, RecordingOutput output, String... headers) {
        Map<String, String> all = new HashMap<>(
                Map.of("content-type", "application/json", "accept", "application/json, text/event-stream"));
        for (int i = 0; i < headers.length; i += 2) {
            if (headers[i + 1].isEmpty()) {
                all.remove(headers[i].toLowerCase(Locale.ROOT));
            } else {
                all.put(headers[i].toLowerCase(Locale.ROOT), headers[i + 1]);
            }
        }
        return unchecked(() -> http.handle(
                new HttpInput(
                        method,
                        name -> all.get(name.toLowerCase(Locale.ROOT)),
                        body.replace('\'', '"').getBytes(StandardCharsets.UTF_8),
                        all.getOrDefault("x-caller", "alice"),
                        all.getOrDefault("x-caller", "alice")),
                output));
    }

    HttpReply post(String body, String... headers) {
        return send("POST", body, new RecordingOutput(), headers);
    }

    /** Sends a request in the background. */
    CompletableFuture<HttpReply> start(String method, String body, RecordingOutput output, String... headers) {
        CompletableFuture<HttpReply> reply = new CompletableFuture<>();
        Thread.ofVirtual().start(() -> {
            try {
                reply.complete(send(method, body, output, headers));
            } catch (RuntimeException failure) {
                reply.completeExceptionally(failure);
            }
        });
        return reply;
    }

    /** The body of a modern request. */
    static String modern(String method, String params, String capabilities) {
        return modern(method, params, capabilities, "");
    }

    static String modern(String method, String params, String capabilities, String moreMeta) {
        String meta = "\"_meta\": {\"io.modelcontextprotocol/protocolVersion\": \"2026-07-28\", "
                + "\"io.modelcontextprotocol/clientCapabilities\": " + capabilities.replace('\'', '"')
                + moreMeta.replace('\'', '"') + "}";
        return "{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"" + method + "\", \"params\": {"
                + params.replace('\'', '"') + (params.isEmpty() ? "" : ", ") + meta + "}}";
    }

    /** The headers of a modern request. */
    static String[] headers(String method, String name) {
        return new String[] {"MCP-Protocol-Version", "2026-07-28", "Mcp-Method", method, "Mcp-Name", name};
    }

    /** Starts a session and returns its id. */
    String initialize(String revision, String capabilities, String... headers) {
        HttpReply.Json reply = (HttpReply.Json) post(
                "{'jsonrpc': '2.0', 'id': 0, 'method': 'initialize', 'params': {'protocolVersion': '" + revision
                        + "', 'capabilities': " + capabilities + ", 'clientInfo': {'name': 't', 'version': '1'}}}",
                headers);
        String id = reply.headers().get("Mcp-Session-Id");
        if (id == null) {
            throw new AssertionError("No session: " + json(reply));
        }
        return id;
    }

    static JsonNode json(HttpReply reply) {
        return JsonMapper.shared().readTree(((HttpReply.Json) reply).body());
    }

    static int status(HttpReply reply) {
        return switch (reply) {
            case HttpReply.Json json -> json.status();
            case HttpReply.Empty empty -> empty.status();
            case HttpReply.Streamed _ -> 200;
        };
    }

    private static <T> T unchecked(Callable<T> action) {
        try {
            return action.call();
        } catch (Exception failure) {
            throw new CompletionException(failure);
        }
    }

    @Override
    public void close() {
        engine.close();
        http.close();
    }
}
