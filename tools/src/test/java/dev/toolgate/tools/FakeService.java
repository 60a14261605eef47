package dev.toolgate.tools;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;

/** A service on loopback with scripted responses by method and path, each used once, the last repeatedly. */
public final class FakeService implements AutoCloseable {
    private final HttpServer server;
    private final Map<String, Queue<Answer>> answers = new ConcurrentHashMap<>();
    private final List<Request> requests = new CopyOnWriteArrayList<>();

    public FakeService() {
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/", this::handle);
        server.start();
    }

    /** A response. */
    public record Answer(int status, Map<String, String> headers, String body) {}

    /** A received request. */
    public record Request(String line, Map<String, List<String>> headers, String body) {
        public String header(String name) {
            return String.join(",", headers.getOrDefault(name, List.of()));
        }
    }

    public URI url() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    }

    /**
     * Sets the response to the request {@code GET /path?query}, or to all with the prefix before a {@code *}; several
     * responses are used in turn.
     */
    public FakeService on(String line, int status, String body, String... headers) {
        Map<String, String> named = new java.util.HashMap<>();
        for (int i = 0; i < headers.length; i += 2) {
            named.put(headers[i], headers[i + 1]);
        }
        answers.computeIfAbsent(line, _ -> new ConcurrentLinkedQueue<>()).add(new Answer(status, named, body));
        return this;
    }

    public List<Request> requests() {
        return requests;
    }

    public List<String> lines() {
        return requests.stream().map(Request::line).toList();
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            String line = exchange.getRequestMethod() + " " + exchange.getRequestURI();
            requests.add(new Request(
                    line,
                    Map.copyOf(exchange.getRequestHeaders()),
                    new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8)));
            Queue<Answer> said = answers.entrySet().stream()
                    .filter(known -> known.getKey().endsWith("*")
                            ? line.startsWith(
                                    known.getKey().substring(0, known.getKey().length() - 1))
                            : line.equals(known.getKey()))
                    .map(Map.Entry::getValue)
                    .findFirst()
                    .orElseGet(ConcurrentLinkedQueue::new);
            Answer answer = said.size() > 1 ? said.poll() : said.peek();
            if (answer == null) {
                answer = new Answer(404, Map.of(), "{\"message\": \"Not Found\"}");
            }
            answer.headers()
                    .forEach((name, value) -> exchange.getResponseHeaders().set(name, value));
            byte[] body = answer.body().getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(answer.status(), body.length == 0 ? -1 : body.length);
            exchange.getResponseBody().write(body);
        }
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
