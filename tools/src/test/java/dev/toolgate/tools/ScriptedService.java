package dev.toolgate.tools;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A real HTTP service on loopback with scripted responses, which records requests. */
public final class ScriptedService implements AutoCloseable {

    /** A received request. */
    public record ReceivedRequest(String method, String target, Map<String, List<String>> headers, String body) {
        /** The first value of a header, or an empty string. */
        public String header(String name) {
            return headers.entrySet().stream()
                    .filter(header -> header.getKey().equalsIgnoreCase(name))
                    .map(header -> header.getValue().getFirst())
                    .findFirst()
                    .orElse("");
        }

        /** Method, path and query in one line. */
        public String line() {
            return method + " " + target;
        }
    }

    /** A response. */
    public record Answer(int status, String body, Map<String, String> headers) {
        public static Answer json(String body) {
            return new Answer(200, body.replace('\'', '"'), Map.of("Content-Type", "application/json"));
        }

        public static Answer html(String body) {
            return new Answer(200, body, Map.of("Content-Type", "text/html; charset=utf-8"));
        }

        public static Answer status(int status, String body) {
            return new Answer(status, body.replace('\'', '"'), Map.of("Content-Type", "application/json"));
        }

        public Answer with(String name, String value) {
            Map<String, String> more = new HashMap<>(headers);
            more.put(name, value);
            return new Answer(status, body, more);
        }
    }

    /** Creates the responses. */
    @FunctionalInterface
    public interface Script {
        Answer answer(ReceivedRequest request) throws InterruptedException;
    }

    private final HttpServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final List<ReceivedRequest> requests = new CopyOnWriteArrayList<>();

    private ScriptedService(String address, int port, Script script) throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.ofLiteral(address), port), 0);
        server.setExecutor(threads);
        server.createContext("/", exchange -> serve(exchange, script));
        server.start();
    }

    public static ScriptedService start(Script script) throws IOException {
        return new ScriptedService("127.0.0.1", 0, script);
    }

    public static ScriptedService on(String address, Script script) throws IOException {
        return new ScriptedService(address, 0, script);
    }

    /** A service that accepts requests and never responds. */
    public static ScriptedService silent() throws IOException {
        return start(_ -> {
            new CountDownLatch(1).await();
            return Answer.json("{}");
        });
    }

    public URI url() {
        return URI.create("http://" + server.getAddress().getAddress().getHostAddress() + ":" + port());
    }

    public int port() {
        return server.getAddress().getPort();
    }

    public List<ReceivedRequest> requests() {
        return requests;
    }

    private void serve(HttpExchange exchange, Script script) throws IOException {
        try (exchange) {
            ReceivedRequest one = new ReceivedRequest(
                    exchange.getRequestMethod(),
                    exchange.getRequestURI().toString(),
                    Map.copyOf(exchange.getRequestHeaders()),
                    new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
            requests.add(one);
            Answer answer = script.answer(one);
            byte[] body = answer.body().getBytes(StandardCharsets.UTF_8);
            answer.headers().forEach(exchange.getResponseHeaders()::set);
            exchange.sendResponseHeaders(answer.status(), body.length == 0 ? -1 : body.length);
            exchange.getResponseBody().write(body);
        } catch (InterruptedException ending) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
