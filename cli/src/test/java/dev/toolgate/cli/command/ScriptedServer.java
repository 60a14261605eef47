package dev.toolgate.cli.command;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A server with scripted responses over a real socket, which records requests. */
public final class ScriptedServer implements AutoCloseable {
    private final HttpServer server;
    private final Map<String, Answer> answers = new HashMap<>();
    private final List<String> asked = Collections.synchronizedList(new ArrayList<>());
    private final List<String> credentials = Collections.synchronizedList(new ArrayList<>());

    private record Answer(int status, String body, Map<String, String> headers) {}

    public ScriptedServer() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::answer);
        server.start();
    }

    public String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    /** Sets the response for a method and a path with query, separated by a space. */
    public ScriptedServer on(String request, int status, String body) {
        return on(request, status, body, Map.of());
    }

    public ScriptedServer on(String request, int status, String body, Map<String, String> headers) {
        answers.put(request, new Answer(status, body, headers));
        return this;
    }

    /** Method, path and query, then a space and the body if there was one. */
    public List<String> asked() {
        return List.copyOf(asked);
    }

    /** The received Authorization headers. */
    public List<String> credentials() {
        return List.copyOf(credentials);
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            String request = exchange.getRequestMethod() + " " + exchange.getRequestURI();
            asked.add(request + (body.isEmpty() ? "" : " " + body));
            credentials.add(String.valueOf(exchange.getRequestHeaders().getFirst("Authorization")));
            Answer answer = answers.getOrDefault(request, new Answer(500, "not scripted: " + request, Map.of()));
            answer.headers().forEach(exchange.getResponseHeaders()::add);
            byte[] bytes = answer.body().getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(answer.status(), bytes.length == 0 ? -1 : bytes.length);
            if (bytes.length > 0) {
                exchange.getResponseBody().write(bytes);
            }
        }
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
