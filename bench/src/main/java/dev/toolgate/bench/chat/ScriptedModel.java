package dev.toolgate.bench.chat;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** A scripted OpenAI-compatible model server with a thread per connection. */
final class ScriptedModel implements AutoCloseable {
    private static final int BACKLOG = 500;
    private static final String LENGTH = "content-length:";

    private final ServerSocket listener;
    private final Script script;

    /** Answers one request. */
    @FunctionalInterface
    interface Script {
        void answer(String request, ModelAnswer answer) throws IOException, InterruptedException;
    }

    private ScriptedModel(ServerSocket listener, Script script) {
        this.listener = listener;
        this.script = script;
    }

    static ScriptedModel start(Script script) throws IOException {
        ServerSocket listener = new ServerSocket(0, BACKLOG, InetAddress.getLoopbackAddress());
        ScriptedModel model = new ScriptedModel(listener, script);
        Thread.ofPlatform().daemon().name("model-listener").start(model::accept);
        return model;
    }

    int port() {
        return listener.getLocalPort();
    }

    /** Its base URL. */
    URI address() {
        return URI.create("http://127.0.0.1:" + port() + "/v1");
    }

    private void accept() {
        try {
            while (true) {
                Socket caller = listener.accept();
                Thread.ofPlatform().daemon().name("model").start(() -> serve(caller));
            }
        } catch (IOException closed) {
            // closed
        }
    }

    private void serve(Socket caller) {
        try (caller) {
            caller.setTcpNoDelay(true);
            InputStream in = new BufferedInputStream(caller.getInputStream());
            for (String request = read(in); request != null; request = read(in)) {
                script.answer(request, new ModelAnswer(in, caller.getOutputStream()));
            }
        } catch (IOException gone) {
            // the client has closed the connection
        } catch (InterruptedException over) {
            Thread.currentThread().interrupt();
        }
    }

    /** The body of the next request; {@code null} at the end of the connection. */
    private static @Nullable String read(InputStream in) throws IOException {
        int length = 0;
        String line = line(in);
        if (line.isEmpty()) {
            return null;
        }
        for (; !line.isEmpty(); line = line(in)) {
            if (line.regionMatches(true, 0, LENGTH, 0, LENGTH.length())) {
                length = Integer.parseInt(line.substring(LENGTH.length()).strip());
            }
        }
        return new String(in.readNBytes(length), StandardCharsets.UTF_8);
    }

    private static String line(InputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int next = in.read(); next >= 0 && next != '\n'; next = in.read()) {
            line.append((char) next);
        }
        return line.toString().stripTrailing();
    }

    @Override
    public void close() throws IOException {
        listener.close();
    }
}
