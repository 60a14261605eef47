package dev.toolgate.mcp.client;

import dev.toolgate.mcp.client.http.EndpointCheck;
import dev.toolgate.mcp.client.http.HttpEndpoint;
import dev.toolgate.mcp.client.http.HttpExchanger;
import dev.toolgate.mcp.client.http.HttpTransport;
import dev.toolgate.mcp.client.http.ServerAuthorization;
import dev.toolgate.mcp.client.transport.McpFailure;
import dev.toolgate.mcp.client.transport.TransportLimits;
import dev.toolgate.mcp.protocol.Era;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** An MCP server over HTTP that accepts every client and has scripted responses for the methods of a test. */
public final class ScriptedMcpServer implements AutoCloseable {
    private static final JsonMapper JSON = JsonMapper.shared();

    /** Answers a request. */
    @FunctionalInterface
    public interface Method {
        void answer(JsonNode message, OutputStream out) throws Exception;
    }

    /** Answers a request by its headers too. */
    @FunctionalInterface
    public interface RequestMethod {
        void answer(RawHttpServer.Request request, JsonNode message, OutputStream out) throws Exception;
    }

    private final RawHttpServer http;
    private final Era era;
    private final Map<String, RequestMethod> methods = new ConcurrentHashMap<>();
    private final AtomicInteger sessions = new AtomicInteger();

    public ScriptedMcpServer(Era era) throws IOException {
        this.era = era;
        this.http = new RawHttpServer(this::answer);
    }

    /** Sets the response to a method. */
    public ScriptedMcpServer on(String method, Method answer) {
        return onRequest(method, (request, message, out) -> answer.answer(message, out));
    }

    /** Sets the response to a method, which can depend on the headers of the request. */
    public ScriptedMcpServer onRequest(String method, RequestMethod answer) {
        methods.put(method, answer);
        return this;
    }

    public URI url() {
        return http.url("/mcp");
    }

    /** All requests with this method so far. */
    public List<RawHttpServer.Request> requests(String method) {
        return http.requests().stream()
                .filter(request -> request.method().equals("POST")
                        && JSON.readTree(request.body())
                                .path("method")
                                .asString("")
                                .equals(method))
                .toList();
    }

    /** All requests so far. */
    public List<RawHttpServer.Request> requests() {
        return http.requests();
    }

    public McpClient connect(HttpExchanger exchanger, ClientSettings settings) throws McpFailure {
        return connect(exchanger, settings, TransportLimits.DEFAULT);
    }

    public McpClient connect(HttpExchanger exchanger, ClientSettings settings, TransportLimits limits)
            throws McpFailure {
        return McpClient.connect(
                new HttpTransport(
                        HttpEndpoint.of(url(), EndpointCheck.LOOPBACK_WITHOUT_TLS),
                        exchanger,
                        ServerAuthorization.fixed(Map.of()),
                        limits),
                settings);
    }

    private void answer(RawHttpServer.Request request, OutputStream out) throws Exception {
        if (!request.method().equals("POST")) {
            RequestMethod other = methods.get(request.method());
            if (other == null) {
                RawHttpServer.answer(out, 405, "text/plain", "");
            } else {
                other.answer(request, JSON.createObjectNode(), out);
            }
            return;
        }
        JsonNode message = JSON.readTree(request.body());
        String method = message.path("method").asString("");
        RequestMethod scripted = methods.get(method);
        if (scripted != null) {
            scripted.answer(request, message, out);
        } else if (!message.has("id") || !message.has("method")) {
            RawHttpServer.answer(out, 202, "text/plain", "");
        } else if (method.equals("server/discover") && era == Era.MODERN) {
            result(
                    message,
                    out,
                    "{\"resultType\": \"complete\", \"supportedVersions\": [\"2026-07-28\"],"
                            + " \"capabilities\": {\"tools\": {\"listChanged\": true}}}");
        } else if (method.equals("initialize") && era == Era.LEGACY) {
            initialize(message, out);
        } else {
            RawHttpServer.answer(
                    out,
                    404,
                    "application/json",
                    "{\"jsonrpc\": \"2.0\", \"id\": " + message.get("id")
                            + ", \"error\": {\"code\": -32601, \"message\": \"Unknown method\"}}");
        }
    }

    /** Answers {@code initialize} as a server of the legacy era, with a new session. */
    public void initialize(JsonNode message, OutputStream out) throws IOException {
        initialize(message, out, "{\"tools\": {}}");
    }

    /** Answers {@code initialize} with these capabilities. */
    public void initialize(JsonNode message, OutputStream out, String capabilities) throws IOException {
        RawHttpServer.answer(
                out,
                200,
                "application/json",
                response(
                        message,
                        "{\"protocolVersion\": \"2025-11-25\", \"capabilities\": " + capabilities
                                + ", \"serverInfo\": {\"name\": \"scripted\", \"version\": \"1\"}}"),
                "Mcp-Session-Id: session-" + sessions.incrementAndGet());
    }

    /** Answers with a result. */
    public static void result(JsonNode message, OutputStream out, String result) throws IOException {
        RawHttpServer.answer(out, 200, "application/json", response(message, result));
    }

    /** A response with a result. */
    public static String response(JsonNode message, String result) {
        return "{\"jsonrpc\": \"2.0\", \"id\": " + message.get("id") + ", \"result\": " + result + "}";
    }

    @Override
    public void close() throws IOException {
        http.close();
    }
}
