package dev.toolgate.mcp.client.stdio;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.Pipe;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A server program without a process: a thread that reads lines and writes scripted bytes. */
class PipedProcess implements StdioProcess {
    private static final JsonMapper JSON = JsonMapper.shared();

    /** Answers one message of the client. */
    @FunctionalInterface
    interface Script {
        void answer(JsonNode message, PipedProcess self) throws Exception;
    }

    private final Pipe in = Pipe.open();
    private final Pipe out = Pipe.open();
    private final Pipe err = Pipe.open();
    private final OutputStream stdin = Channels.newOutputStream(in.sink());
    private final InputStream stdinEnd = Channels.newInputStream(in.source());
    private final OutputStream stdoutEnd = Channels.newOutputStream(out.sink());
    private final InputStream stdout = Channels.newInputStream(out.source());
    private final OutputStream stderrEnd = Channels.newOutputStream(err.sink());
    private final InputStream stderr = Channels.newInputStream(err.source());
    private final CountDownLatch ended = new CountDownLatch(1);
    private final List<String> received = new CopyOnWriteArrayList<>();
    private final List<String> signals = new CopyOnWriteArrayList<>();
    private final Thread thread;

    PipedProcess(Script script) throws IOException {
        this.thread = Thread.ofPlatform().daemon().start(() -> run(script));
    }

    private void run(Script script) {
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(stdinEnd, StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                received.add(line);
                script.answer(JSON.readTree(line), this);
            }
        } catch (Exception over) {
            // Ended by the script or the client.
        }
        exit();
    }

    private void exit() {
        try {
            stdoutEnd.close();
            stderrEnd.close();
            stdinEnd.close();
        } catch (IOException closed) {
            // Already closed.
        }
        ended.countDown();
    }

    /** The lines that the server has read. */
    List<String> received() {
        return received;
    }

    /** The signals sent so far: TERM, KILL. */
    List<String> signals() {
        return signals;
    }

    synchronized void print(String text) throws IOException {
        stdoutEnd.write(text.getBytes(StandardCharsets.UTF_8));
        stdoutEnd.flush();
    }

    void complain(String text) throws IOException {
        stderrEnd.write(text.getBytes(StandardCharsets.UTF_8));
        stderrEnd.flush();
    }

    void result(JsonNode message, String result) throws IOException {
        print("{\"jsonrpc\":\"2.0\",\"id\":" + message.get("id") + ",\"result\":" + result + "}\n");
    }

    /** A server of the modern era; the script handles everything but discovery and prompts. */
    static PipedProcess modern(Script script) throws IOException {
        return new PipedProcess((message, self) -> {
            switch (message.path("method").asString("")) {
                case "server/discover" ->
                    self.result(
                            message,
                            "{\"resultType\":\"complete\",\"supportedVersions\":[\"2026-07-28\"],\"capabilities\":{}}");
                case "prompts/get" -> self.result(message, "{\"messages\":[]}");
                default -> script.answer(message, self);
            }
        });
    }

    @Override
    public OutputStream stdin() {
        return stdin;
    }

    @Override
    public InputStream stdout() {
        return stdout;
    }

    @Override
    public InputStream stderr() {
        return stderr;
    }

    @Override
    public boolean waitFor(Duration timeout) throws InterruptedException {
        return ended.await(timeout.toNanos(), TimeUnit.NANOSECONDS);
    }

    @Override
    public void terminate() {
        signals.add("TERM");
    }

    @Override
    public void kill() {
        signals.add("KILL");
        thread.interrupt();
        exit();
    }

    @Override
    public OptionalInt exitCode() {
        return ended.getCount() == 0 ? OptionalInt.of(0) : OptionalInt.empty();
    }
}
