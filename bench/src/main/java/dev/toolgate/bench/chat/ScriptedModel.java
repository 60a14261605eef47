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

/** A model server that speaks like OpenAI's and says what a script has it say; every connection has a thread. */
final class ScriptedModel implements AutoCloseable {
    private static final int WAITING_CONNECTIONS = 500;
    private static final String LENGTH = "content-length:";

    private final ServerSocket door;
    private final Script script;

    /** Answers one request. */
    @FunctionalInterface
    interface Script {
        void answer(String request, ModelAnswer answer) throws IOException, InterruptedException;
    }

    private ScriptedModel(ServerSocket door, Script script) {
        this.door = door;
        this.script = script;
    }

    static ScriptedModel start(Script script) throws IOException {
        ServerSocket door = new ServerSocket(0, WAITING_CONNECTIONS, InetAddress.getLoopbackAddress());
        ScriptedModel model = new ScriptedModel(door, script);
        Thread.ofPlatform().daemon().name("model-door").start(model::accept);
        return model;
    }

    int port() {
        return door.getLocalPort();
    }

    /** As a server is told of it. */
    URI address() {
        return URI.create("http://127.0.0.1:" + port() + "/v1");
    }

    private void accept() {
        try {
            while (true) {
                Socket caller = door.accept();
                Thread.ofPlatform().daemon().name("model").start(() -> serve(caller));
            }
        } catch (IOException closed) {
            // over
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
            // whoever asked wants no more of the answer
        } catch (InterruptedException over) {
            Thread.currentThread().interrupt();
        }
    }

    /** The body of the next request; {@code null} if none will come. */
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
        door.close();
    }
}
