package dev.toolgate.runtime.network;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;

/** A real server on loopback with scripted raw responses, which counts connections. */
final class ScriptedServer implements AutoCloseable {

    /** A received request. */
    record Received(String line, Map<String, String> headers, String body) {
        Optional<String> header(String name) {
            return Optional.ofNullable(headers.get(name));
        }
    }

    /** The behaviour for one request. */
    interface Script {
        void answer(Received request, OutputStream out, Socket socket) throws IOException, InterruptedException;
    }

    private final ServerSocket listener = new ServerSocket();
    private final Script script;
    private final AtomicInteger hits = new AtomicInteger();
    private final List<Received> received = new CopyOnWriteArrayList<>();
    private final List<Socket> sockets = new CopyOnWriteArrayList<>();

    private ScriptedServer(String address, int port, Script script) throws IOException {
        this.script = script;
        listener.bind(new InetSocketAddress(InetAddress.ofLiteral(address), port));
        Thread.ofVirtual().start(this::acceptAll);
    }

    /** On a port below those that the system assigns, so that it stays free at the other loopback addresses. */
    static ScriptedServer on(String address, Script script) throws IOException {
        for (int attempt = 1; ; attempt++) {
            try {
                return new ScriptedServer(address, ThreadLocalRandom.current().nextInt(10_000, 32_000), script);
            } catch (BindException taken) {
                if (attempt == 20) {
                    throw taken;
                }
            }
        }
    }

    static ScriptedServer on(String address, int port, Script script) throws IOException {
        return new ScriptedServer(address, port, script);
    }

    static Script saying(String response) {
        return (_, out, _) -> out.write(response.getBytes(StandardCharsets.UTF_8));
    }

    static Script ok(String body) {
        return saying("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: "
                + body.getBytes(StandardCharsets.UTF_8).length + "\r\n\r\n" + body);
    }

    static Script redirect(int status, String location) {
        return saying("HTTP/1.1 " + status + " Moved\r\nLocation: " + location + "\r\nContent-Length: 0\r\n\r\n");
    }

    int port() {
        return listener.getLocalPort();
    }

    int hits() {
        return hits.get();
    }

    List<Received> received() {
        return received;
    }

    private void acceptAll() {
        while (!listener.isClosed()) {
            try {
                Socket socket = listener.accept();
                hits.incrementAndGet();
                sockets.add(socket);
                Thread.ofVirtual().start(() -> serve(socket));
            } catch (IOException closed) {
                return;
            }
        }
    }

    private void serve(Socket socket) {
        try (socket) {
            Received request = read(new BufferedInputStream(socket.getInputStream()));
            received.add(request);
            script.answer(request, socket.getOutputStream(), socket);
        } catch (IOException | InterruptedException gone) {
            // the client disconnected, as some tests expect
        }
    }

    private static Received read(InputStream in) throws IOException {
        String first = line(in);
        Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        for (String line = line(in); !line.isEmpty(); line = line(in)) {
            int colon = line.indexOf(':');
            headers.put(
                    line.substring(0, colon).toLowerCase(Locale.ROOT),
                    line.substring(colon + 1).strip());
        }
        int length = Integer.parseInt(headers.getOrDefault("content-length", "0"));
        return new Received(first, headers, new String(in.readNBytes(length), StandardCharsets.UTF_8));
    }

    private static String line(InputStream in) throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int next = in.read(); next != '\n'; next = in.read()) {
            if (next < 0) {
                throw new IOException("The client disconnected in the middle of a line");
            }
            if (next != '\r') {
                line.write(next);
            }
        }
        return line.toString(StandardCharsets.ISO_8859_1);
    }

    @Override
    public void close() throws IOException {
        listener.close();
        for (Socket socket : sockets) {
            socket.close();
        }
    }
}
