package dev.toolgate.mcp.client;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** An HTTP server on raw sockets; tests write its responses byte by byte, so that they can be malformed. */
public final class RawHttpServer implements AutoCloseable {
    /** A received request; header names are in lower case. */
    public record Request(String method, String path, Map<String, String> headers, String body) {}

    /** Writes a response; the connection stays open afterwards unless this throws. */
    @FunctionalInterface
    public interface Script {
        void answer(Request request, OutputStream out) throws Exception;
    }

    private final ServerSocket socket = new ServerSocket(0, 100, InetAddress.getLoopbackAddress());
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private final List<Request> requests = new CopyOnWriteArrayList<>();
    private final Script script;

    public RawHttpServer(Script script) throws IOException {
        this.script = script;
        Thread.startVirtualThread(this::accept);
    }

    public URI url(String path) {
        return URI.create("http://127.0.0.1:" + socket.getLocalPort() + path);
    }

    /** All requests so far. */
    public List<Request> requests() {
        return requests;
    }

    private void accept() {
        while (!socket.isClosed()) {
            try {
                Socket connection = socket.accept();
                connection.setTcpNoDelay(true);
                open.add(connection);
                if (socket.isClosed()) { // accepted while close() ran, which may not have seen it
                    connection.close();
                }
                Thread.startVirtualThread(() -> serve(connection));
            } catch (IOException closed) {
                return;
            }
        }
    }

    private void serve(Socket connection) {
        try (connection) {
            InputStream in = new BufferedInputStream(connection.getInputStream());
            OutputStream out = connection.getOutputStream();
            for (Request request = read(in); request != null; request = read(in)) {
                requests.add(request);
                script.answer(request, out);
                out.flush();
            }
        } catch (Exception ended) {
            // The client disconnected, or the script closes the connection.
        } finally {
            open.remove(connection);
        }
    }

    private static @Nullable Request read(InputStream in) throws IOException {
        String[] start = line(in).split(" ", -1);
        if (start.length < 3) {
            return null;
        }
        Map<String, String> headers = new LinkedHashMap<>();
        for (String header = line(in); !header.isEmpty(); header = line(in)) {
            int colon = header.indexOf(':');
            headers.put(
                    header.substring(0, colon).toLowerCase(Locale.ROOT),
                    header.substring(colon + 1).strip());
        }
        byte[] body = in.readNBytes(Integer.parseInt(headers.getOrDefault("content-length", "0")));
        return new Request(start[0], start[1], headers, new String(body, StandardCharsets.UTF_8));
    }

    private static String line(InputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int c = in.read(); c >= 0 && c != '\n'; c = in.read()) {
            if (c != '\r') {
                line.append((char) c);
            }
        }
        return line.toString();
    }

    /** Writes a complete response. */
    public static void answer(OutputStream out, int status, String type, String body, String... headers)
            throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        head(out, status, type, "Content-Length: " + bytes.length, headers);
        out.write(bytes);
    }

    /** Starts a response that ends when the connection closes. */
    public static void open(OutputStream out, String type) throws IOException {
        head(out, 200, type, "Connection: close");
        out.flush();
    }

    private static void head(OutputStream out, int status, String type, String length, String... headers)
            throws IOException {
        StringBuilder head = new StringBuilder("HTTP/1.1 " + status + " Status\r\nContent-Type: " + type + "\r\n");
        head.append(length).append("\r\n");
        for (String header : headers) {
            head.append(header).append("\r\n");
        }
        out.write(head.append("\r\n").toString().getBytes(StandardCharsets.UTF_8));
    }

    /** Writes one server-sent event. */
    public static void event(OutputStream out, String data) throws IOException {
        out.write(("data: " + data + "\n\n").getBytes(StandardCharsets.UTF_8));
        out.flush();
    }

    @Override
    public void close() throws IOException {
        socket.close();
        for (Socket connection : open) {
            connection.close();
        }
    }
}
