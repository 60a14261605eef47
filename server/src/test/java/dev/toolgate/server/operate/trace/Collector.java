package dev.toolgate.server.operate.trace;

import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.zip.GZIPInputStream;

/** An OpenTelemetry collector on loopback that keeps what it receives. */
public final class Collector implements AutoCloseable {
    private final HttpServer server;
    private final List<Protobuf> traces = new CopyOnWriteArrayList<>();
    private final List<Protobuf> logs = new CopyOnWriteArrayList<>();
    private volatile int status = 200;

    public Collector() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        keep("/v1/traces", traces);
        keep("/v1/logs", logs);
        server.start();
    }

    private void keep(String path, List<Protobuf> into) {
        server.createContext(path, exchange -> {
            byte[] body = exchange.getRequestBody().readAllBytes();
            boolean zipped = "gzip".equals(exchange.getRequestHeaders().getFirst("Content-Encoding"));
            InputStream bytes = new ByteArrayInputStream(body);
            try (InputStream plain = zipped ? new GZIPInputStream(bytes) : bytes) {
                if (status == 200) {
                    into.add(new Protobuf(plain.readAllBytes()));
                }
            }
            exchange.getResponseHeaders().set("Content-Type", "application/x-protobuf");
            exchange.sendResponseHeaders(status, -1);
            exchange.close();
        });
    }

    public String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    /** Sets the status of its responses. */
    public void answer(int newStatus) {
        status = newStatus;
    }

    /** Every span: resource spans, scope spans, spans. */
    public List<Protobuf> spans() {
        return inside(traces);
    }

    /** Every log record: resource logs, scope logs, log records. */
    public List<Protobuf> logRecords() {
        return inside(logs);
    }

    private static List<Protobuf> inside(List<Protobuf> requests) {
        return requests.stream()
                .flatMap(request -> request.messages(1).stream())
                .flatMap(resource -> resource.messages(2).stream())
                .flatMap(scope -> scope.messages(2).stream())
                .toList();
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
