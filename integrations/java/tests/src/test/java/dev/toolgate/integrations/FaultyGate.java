package dev.toolgate.integrations;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.UnaryOperator;

/** Stands between a client and the shared gate, and fails at requests to one path. All others go through. */
final class FaultyGate implements AutoCloseable {
    /** How a request is answered. */
    private interface Fault {
        Answer to(HttpExchange exchange) throws IOException, InterruptedException;
    }

    private record Answer(int status, String type, String body) {}

    private final HttpServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final HttpClient client = HttpClient.newHttpClient();
    private final CountDownLatch closed = new CountDownLatch(1);

    private FaultyGate(String path, Fault fault) throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/", exchange -> answer(path, fault, exchange));
        server.start();
    }

    /** Answers instead of the gate, which does not get the request. */
    static FaultyGate answering(String path, int status, String type, String body) throws IOException {
        return new FaultyGate(path, exchange -> new Answer(status, type, body));
    }

    /** Lets the gate decide, and changes its answer. */
    static FaultyGate changing(String path, UnaryOperator<String> change) throws IOException {
        FaultyGate[] self = new FaultyGate[1];
        self[0] = new FaultyGate(path, exchange -> {
            Answer answer = self[0].forward(exchange);
            return new Answer(answer.status(), answer.type(), change.apply(answer.body()));
        });
        return self[0];
    }

    /** Lets the gate decide, and keeps its answer until this is closed. */
    static FaultyGate keepingAnswers(String path) throws IOException {
        FaultyGate[] self = new FaultyGate[1];
        self[0] = new FaultyGate(path, exchange -> {
            Answer answer = self[0].forward(exchange);
            self[0].closed.await();
            return answer;
        });
        return self[0];
    }

    String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    private void answer(String path, Fault fault, HttpExchange exchange) throws IOException {
        try (exchange) {
            boolean fails = exchange.getRequestURI().getPath().endsWith(path);
            Answer answer = fails ? fault.to(exchange) : forward(exchange);
            byte[] body = answer.body().getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", answer.type());
            exchange.sendResponseHeaders(answer.status(), body.length == 0 ? -1 : body.length);
            exchange.getResponseBody().write(body);
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        }
    }

    private Answer forward(HttpExchange exchange) throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(SharedGate.url() + exchange.getRequestURI()))
                .method(
                        exchange.getRequestMethod(),
                        BodyPublishers.ofByteArray(exchange.getRequestBody().readAllBytes()));
        for (String name : List.of("Authorization", "Content-Type", "Prefer")) {
            String value = exchange.getRequestHeaders().getFirst(name);
            if (value != null) {
                request.header(name, value);
            }
        }
        HttpResponse<String> response = client.send(request.build(), BodyHandlers.ofString());
        String type = response.headers().firstValue("Content-Type").orElse("");
        return new Answer(response.statusCode(), type, response.body());
    }

    @Override
    public void close() {
        closed.countDown();
        server.stop(0);
        threads.shutdownNow();
        client.shutdownNow();
    }
}
