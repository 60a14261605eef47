package dev.toolgate.chat.provider;

import dev.toolgate.core.json.Json;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import tools.jackson.databind.JsonNode;

/** A model server on loopback that runs a script, down to bytes and sockets. */
public final class ScriptedServer implements AutoCloseable {

    /** The behaviour for one request. */
    @FunctionalInterface
    public interface Script {
        void answer(Talk talk) throws IOException;
    }

    public record Request(String line, Map<String, String> headers, String body) {
        public JsonNode json() {
            return Json.MAPPER.readTree(body);
        }
    }

    private final ServerSocket socket;
    private final List<Request> requests = new CopyOnWriteArrayList<>();
    private final AtomicInteger open = new AtomicInteger();
    private final AtomicInteger closedByClient = new AtomicInteger();
    private volatile Script script = talk -> {};

    public ScriptedServer() {
        try {
            socket = new ServerSocket(0, 1000, InetAddress.getLoopbackAddress());
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        Thread.ofVirtual().start(this::accept);
    }

    public void does(Script newScript) {
        script = newScript;
    }

    /** Two scripts in sequence; the last one is repeated. */
    public void does(Script first, Script second) {
        AtomicInteger count = new AtomicInteger();
        script = talk -> (count.getAndIncrement() == 0 ? first : second).answer(talk);
    }

    public URI address() {
        return URI.create("http://127.0.0.1:" + socket.getLocalPort());
    }

    public List<Request> requests() {
        return requests;
    }

    public Request request() {
        return requests.getLast();
    }

    /** The number of open connections. */
    public int open() {
        return open.get();
    }

    /** The number of connections that the client closed early. */
    public int closedByClient() {
        return closedByClient.get();
    }

    private void accept() {
        while (!socket.isClosed()) {
            try {
                Socket connection = socket.accept();
                open.incrementAndGet();
                Thread.ofVirtual().start(() -> serve(connection));
            } catch (IOException closed) {
                return;
            }
        }
    }

    private void serve(Socket connection) {
        try (connection) {
            InputStream in = new BufferedInputStream(connection.getInputStream());
            Request request = read(in);
            requests.add(request);
            script.answer(new Talk(request, connection, in));
        } catch (IOException gone) {
            closedByClient.incrementAndGet();
        } finally {
            open.decrementAndGet();
        }
    }

    private static Request read(InputStream in) throws IOException {
        String line = line(in);
        Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        for (String header = line(in); !header.isEmpty(); header = line(in)) {
            headers.put(header.split(":", 2)[0], header.split(":", 2)[1].strip());
        }
        int length = Integer.parseInt(headers.getOrDefault("content-length", "0"));
        return new Request(line, headers, new String(in.readNBytes(length), StandardCharsets.UTF_8));
    }

    private static String line(InputStream in) throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int c = in.read(); c != '\n'; c = in.read()) {
            if (c < 0) {
                throw new IOException("gone");
            }
            if (c != '\r') {
                line.write(c);
            }
        }
        return line.toString(StandardCharsets.UTF_8);
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }

    /** One request being answered. */
    public final class Talk {
        private final Request request;
        private final Socket connection;
        private final InputStream in;
        private final OutputStream out;

        private Talk(Request request, Socket connection, InputStream in) throws IOException {
            this.request = request;
            this.connection = connection;
            this.in = in;
            this.out = connection.getOutputStream();
        }

        public Request request() {
            return request;
        }

        /** Sends a complete response. */
        public void say(int status, String body, String... headers) throws IOException {
            byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
            head(status, headers);
            raw("content-length: " + bytes.length + "\r\n\r\n");
            out.write(bytes);
            out.flush();
        }

        /** Sends the headers of a streamed response. */
        public Talk begin() throws IOException {
            head(200);
            raw("content-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n");
            return this;
        }

        public Talk send(List<String> frames) throws IOException {
            for (String frame : frames) {
                send(frame);
            }
            return this;
        }

        public Talk send(String frame) throws IOException {
            byte[] bytes = frame.getBytes(StandardCharsets.UTF_8);
            raw(Integer.toHexString(bytes.length) + "\r\n");
            out.write(bytes);
            raw("\r\n");
            out.flush();
            return this;
        }

        /** Ends a streamed response properly. */
        public void end() throws IOException {
            raw("0\r\n\r\n");
            out.flush();
        }

        /** Closes the socket in the middle of a response. */
        public void cut() throws IOException {
            connection.close();
        }

        /** Hangs until the client disconnects. */
        public void hang() throws IOException {
            while (in.read() >= 0) {
                // a waiting client sends nothing
            }
            closedByClient.incrementAndGet();
        }

        private void head(int status, String... headers) throws IOException {
            raw("HTTP/1.1 " + status + " Scripted\r\nconnection: close\r\n");
            for (String header : headers) {
                raw(header + "\r\n");
            }
        }

        private void raw(String text) throws IOException {
            out.write(text.getBytes(StandardCharsets.US_ASCII));
        }
    }
}
