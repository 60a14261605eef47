package dev.toolgate.server.console;

import com.sun.net.httpserver.HttpServer;
import dev.toolgate.server.RunningServer;
import dev.toolgate.server.wiring.ToolgateServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A second gate on a test's database that browser tests stop and restart at the same address. */
final class RestartableGate implements AutoCloseable {
    private final RunningServer first;
    private final Path homes;
    private final int port;
    private final HttpServer control;
    private @Nullable ToolgateServer gate;
    private int starts;

    RestartableGate(RunningServer first, Path homes, int port) throws IOException {
        this.first = first;
        this.homes = homes;
        this.port = port;
        start();
        control = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        on("/stop", this::stop);
        on("/start", this::start);
        control.start();
    }

    String url() {
        return "http://127.0.0.1:" + port;
    }

    /** The URL for requests to stop and start the gate. */
    String controlUrl() {
        return "http://127.0.0.1:" + control.getAddress().getPort();
    }

    private interface Action {
        void run() throws IOException;
    }

    private void on(String path, Action action) {
        control.createContext(path, exchange -> {
            int status = 200;
            try {
                action.run();
            } catch (IOException | RuntimeException failed) {
                status = 500;
            }
            exchange.sendResponseHeaders(status, -1);
            exchange.close();
        });
    }

    private synchronized void start() throws IOException {
        gate = first.another(homes.resolve("restarted-" + starts++), Map.of("ports", String.valueOf(port)));
    }

    private synchronized void stop() {
        if (gate != null) {
            gate.close();
            gate = null;
        }
    }

    @Override
    public void close() {
        control.stop(0);
        stop();
    }
}
