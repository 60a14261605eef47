package dev.toolgate.server.trial;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/** An external HTTP server that tools send to and that counts requests itself. */
final class Receiver implements AutoCloseable {
    private static final String VARIABLE = "TRIAL_RECEIVER";

    private final List<String> arrivals = new CopyOnWriteArrayList<>();
    private final HttpServer server;
    private volatile CountDownLatch gate = new CountDownLatch(0);

    Receiver() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/", exchange -> {
            if (!exchange.getRequestURI().getPath().equals("/robots.txt")) {
                arrivals.add(exchange.getRequestURI().getPath().substring(1));
                await();
            }
            byte[] page = "<p>It has arrived.</p>".getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().add("Content-Type", "text/html");
            exchange.sendResponseHeaders(200, page.length);
            exchange.getResponseBody().write(page);
            exchange.close();
        });
        server.start();
    }

    private void await() {
        try {
            boolean _ = gate.await(20, TimeUnit.SECONDS);
        } catch (InterruptedException stopped) {
            throw new UncheckedIOException(new IOException(stopped));
        }
    }

    /** Holds its responses until released. */
    CountDownLatch holdAnswers() {
        gate = new CountDownLatch(1);
        return gate;
    }

    /** Passes its address to a server process. */
    void into(Map<String, String> environment) {
        environment.put(VARIABLE, authority());
    }

    /** The address passed to this process. */
    static String fromEnvironment() {
        String authority = System.getenv(VARIABLE);
        if (authority == null) {
            throw new IllegalStateException("No receiver is configured.");
        }
        return authority;
    }

    String authority() {
        return "127.0.0.1:" + server.getAddress().getPort();
    }

    /** The received requests, by the last path segment. */
    List<String> arrivals() {
        return arrivals;
    }

    /** The arguments of browse_web for a page of this server. */
    String page(String name) {
        return "{\"url\": \"http://" + authority() + "/" + name + "\", \"task_description\": \"What is there?\"}";
    }

    @Override
    public void close() {
        gate.countDown();
        server.stop(0);
    }
}
