package dev.toolgate.client;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A real HTTP server that answers as a test says, and keeps what it was sent. */
final class ScriptedServer implements AutoCloseable {
    static final String KEY = "tg_scripted_0123456789";
    static final String ALLOWED = """
            {"status": "allowed", "request_id": "r", "result": {"success": true, "data": "done"}, "logged": true}""";

    /** A request as it came. */
    record Received(String method, String target, String authorization, String body) {}

    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final List<Received> received = new CopyOnWriteArrayList<>();

    ScriptedServer(HttpHandler handler) throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/", exchange -> {
            try (exchange) {
                received.add(new Received(
                        exchange.getRequestMethod(),
                        exchange.getRequestURI().toString(),
                        String.valueOf(exchange.getRequestHeaders().getFirst("Authorization")),
                        new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8)));
                handler.handle(exchange);
            }
        });
        server.start();
    }

    String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    List<Received> received() {
        return received;
    }

    /** A client of this server for which waiting takes no time. */
    Toolgate client(ManualTime time) {
        return new ToolgateBuilder(Map.of())
                .url(url())
                .key(KEY)
                .agent("writer")
                .time(time)
                .build();
    }

    static void answer(HttpExchange exchange, int status, String json) throws IOException {
        byte[] content = json.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.sendResponseHeaders(status, content.length == 0 ? -1 : content.length);
        exchange.getResponseBody().write(content);
    }

    static String error(String code, boolean retryable) {
        return "{\"error\": {\"code\": \"" + code + "\", \"message\": \"It is so.\", \"remediation\": \"Do this.\","
                + " \"retryable\": " + retryable + ", \"correlation_id\": \"c-1\"}}";
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
