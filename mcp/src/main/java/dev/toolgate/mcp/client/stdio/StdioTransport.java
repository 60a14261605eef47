package dev.toolgate.mcp.client.stdio;

import dev.toolgate.mcp.client.transport.ClientCall;
import dev.toolgate.mcp.client.transport.McpFailure;
import dev.toolgate.mcp.client.transport.McpFailureKind;
import dev.toolgate.mcp.client.transport.McpTransport;
import dev.toolgate.mcp.client.transport.TransportLimits;
import dev.toolgate.mcp.jsonrpc.RpcException;
import dev.toolgate.mcp.jsonrpc.RpcId;
import dev.toolgate.mcp.jsonrpc.RpcMessage;
import dev.toolgate.mcp.jsonrpc.RpcReader;
import dev.toolgate.mcp.jsonrpc.RpcWriter;
import dev.toolgate.mcp.protocol.McpMethods;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Messages on lines of a program's standard streams. One thread reads and hands every message to its call; a message
 * that belongs to no call is passed to the listener or dropped. Closing the transport ends the program.
 */
public final class StdioTransport implements McpTransport {
    private static final Logger log = LoggerFactory.getLogger(StdioTransport.class);
    private static final int SHOWN = 300;

    private final StdioProcess process;
    private final TransportLimits limits;
    private final StdioTimeouts timeouts;
    private final RpcReader reader;
    private final StderrTail stderr;
    private final Map<RpcId, StdioCall> pending = new ConcurrentHashMap<>();
    private final ReentrantLock writing = new ReentrantLock();
    private final AtomicReference<@Nullable McpFailure> ended = new AtomicReference<>();
    private final Thread watch;
    private volatile long writingSince;
    private volatile @Nullable Listener listener;
    private int rubbishLines;
    private long rubbishBytes;

    public StdioTransport(StdioProcess process, TransportLimits limits, StdioTimeouts timeouts) {
        this.process = process;
        this.limits = limits;
        this.timeouts = timeouts;
        this.reader = new RpcReader(limits.message());
        this.stderr = new StderrTail(process.stderr(), limits.maxStderrBytes());
        // Platform threads: blocking reads of pipes would pin a virtual thread's carrier.
        Thread.ofPlatform().daemon().name("mcp-stderr").start(stderr);
        Thread.ofPlatform().daemon().name("mcp-stdout").start(this::read);
        this.watch = Thread.ofVirtual().name("mcp-stdin-watch").start(this::watchWrites);
    }

    @Override
    public void listener(Listener newListener) {
        listener = newListener;
    }

    @Override
    public RpcMessage.Response exchange(ClientCall call) throws McpFailure {
        StdioCall waiting = new StdioCall(call);
        pending.put(call.id(), waiting);
        try {
            write(call.body(), call.remaining().toNanos(), call::beginSending);
            return waiting.await();
        } finally {
            pending.remove(call.id());
        }
    }

    @Override
    public void send(RpcMessage message, Map<String, String> headers) throws McpFailure {
        write(RpcWriter.bytes(message), timeouts.write().toNanos(), () -> {});
    }

    /** Runs when a message is the next to be written; a failure prevents that. */
    private interface BeforeWriting {
        void run() throws McpFailure;
    }

    private void write(byte[] message, long nanos, BeforeWriting before) throws McpFailure {
        McpFailure over = ended.get();
        if (over != null) {
            throw new McpFailure(McpFailureKind.NOT_SENT, String.valueOf(over.getMessage()), over);
        }
        try {
            if (!writing.tryLock(nanos, TimeUnit.NANOSECONDS)) {
                throw new McpFailure(McpFailureKind.NOT_SENT, "The server does not read its input.");
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new McpFailure(McpFailureKind.NOT_SENT, "The thread of the request was interrupted.", stopped);
        }
        IOException cause;
        try {
            before.run();
            writingSince = System.nanoTime() | 1;
            OutputStream out = process.stdin();
            out.write(message);
            out.write('\n');
            out.flush();
            return;
        } catch (IOException broken) {
            cause = broken;
        } finally {
            writingSince = 0;
            writing.unlock();
        }
        throw new McpFailure(McpFailureKind.CONNECTION_LOST, whyInputIsClosed(), cause);
    }

    // A program that ends closes its input too, and the writer can see that before the reader knows how it ended.
    private String whyInputIsClosed() {
        String exit = exit();
        McpFailure why = ended.get();
        if (why != null) {
            return String.valueOf(why.getMessage());
        }
        return (exit.isEmpty() ? "The server has closed its input." : "The server has ended" + exit + ".")
                + stderrSuffix();
    }

    // If a server does not read its input, the pipe fills up and the writer blocks.
    private void watchWrites() {
        try {
            while (ended.get() == null) {
                TimeUnit.NANOSECONDS.sleep(Math.max(timeouts.write().toNanos() / 4, 1_000_000));
                long since = writingSince;
                if (since != 0 && System.nanoTime() - since > timeouts.write().toNanos()) {
                    end(new McpFailure(
                            McpFailureKind.CONNECTION_LOST,
                            "The server has not read its input for "
                                    + timeouts.write().toMillis() + " ms; it was ended."));
                }
            }
        } catch (InterruptedException closed) {
            Thread.currentThread().interrupt();
        }
    }

    private void read() {
        MessageLines lines = new MessageLines(process.stdout(), limits.message().maxBytes());
        try {
            for (MessageLines.Line line = lines.next(); line != null; line = lines.next()) {
                switch (line) {
                    case MessageLines.Whole whole -> message(whole.bytes());
                    case MessageLines.TooLong tooLong -> tooLong(tooLong.id());
                    case MessageLines.Endless _ ->
                        end(new McpFailure(
                                McpFailureKind.TOO_LARGE, "The server sent a line without end; it was ended."));
                }
                if (ended.get() != null) {
                    return;
                }
            }
        } catch (IOException | RuntimeException broken) {
            log.debug("Reading the server's output failed", broken);
        }
        end(new McpFailure(McpFailureKind.CONNECTION_LOST, "The server has ended" + exit() + "." + stderrSuffix()));
    }

    private void message(byte[] bytes) {
        RpcMessage message;
        try {
            message = reader.read(bytes);
        } catch (RpcException malformed) {
            StdioCall call = malformed.id() == null ? null : pending.get(malformed.id());
            if (call == null) {
                rubbish(bytes);
            } else {
                call.fail(new McpFailure(
                        McpFailureKind.INVALID_ANSWER,
                        "The server sent a line that is not a JSON-RPC message: " + malformed.getMessage(),
                        malformed));
            }
            return;
        }
        switch (message) {
            case RpcMessage.Result result -> answer(pending.get(result.id()), result, bytes.length);
            case RpcMessage.Failure failure -> answer(failed(failure.id()), failure, bytes.length);
            case RpcMessage.Notification notification -> notified(notification);
            case RpcMessage.Request request -> passToListener(request);
        }
    }

    private void answer(@Nullable StdioCall call, RpcMessage.Response response, int bytes) {
        if (call == null) {
            log.debug("Dropped an answer without a pending request");
        } else {
            call.answer(response, bytes);
        }
    }

    // An error without an id is taken for the answer if exactly one request is pending.
    private @Nullable StdioCall failed(@Nullable RpcId id) {
        if (id != null) {
            return pending.get(id);
        }
        return pending.size() == 1 ? pending.values().stream().findFirst().orElse(null) : null;
    }

    private void notified(RpcMessage.Notification notification) {
        ObjectNode params = notification.params();
        if (notification.method().equals(McpMethods.PROGRESS)) {
            RpcId token = params == null ? null : RpcId.read(params.path("progressToken"));
            StdioCall call = token == null ? null : pending.get(token);
            if (call != null) {
                call.interim(notification);
            }
        } else {
            passToListener(notification);
        }
    }

    private void passToListener(RpcMessage message) {
        Listener current = listener;
        if (current != null) {
            current.received(message);
        }
    }

    private void tooLong(@Nullable Long id) {
        StdioCall call = id == null ? null : pending.get(RpcId.of(id));
        if (call == null) {
            log.debug("A message beyond the size limit was dropped");
        } else {
            call.fail(new McpFailure(
                    McpFailureKind.TOO_LARGE,
                    "The server's answer has more than " + limits.message().maxBytes() + " bytes; it was dropped."));
        }
    }

    private void rubbish(byte[] line) {
        rubbishLines++;
        rubbishBytes += line.length;
        String text = new String(line, 0, Math.min(line.length, SHOWN), StandardCharsets.UTF_8);
        log.debug("The server printed a line that is not a message: {}", printable(text));
        if (rubbishLines > limits.maxRubbishLines() || rubbishBytes > limits.maxRubbishBytes()) {
            end(new McpFailure(
                    McpFailureKind.INVALID_ANSWER,
                    "The server printed " + rubbishLines + " lines that are no messages, the last one beginning with '"
                            + printable(text.substring(0, Math.min(text.length(), 80))) + "'; it was ended."));
        }
    }

    private void end(McpFailure why) {
        if (!ended.compareAndSet(null, why)) {
            return;
        }
        pending.values().forEach(call -> call.fail(why.again()));
        Thread.ofVirtual().name("mcp-process-end").start(this::stopProcess);
        Listener current = listener;
        if (current != null) {
            current.ended(why);
        }
    }

    private String exit() {
        try {
            process.waitFor(timeouts.end());
            // Another thread reads standard error, and may lag behind the end of standard output.
            stderr.awaitEnd(timeouts.end());
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
        OptionalInt code = process.exitCode();
        return code.isPresent() ? " with exit code " + code.getAsInt() : "";
    }

    private String stderrSuffix() {
        String text = printable(stderr.text().strip());
        return text.isEmpty() ? "" : " Its last words: " + text.substring(Math.max(0, text.length() - SHOWN));
    }

    @Override
    public void listen(Map<String, String> headers) {
        // Everything comes on the one pipe.
    }

    @Override
    public boolean hasStreamPerRequest() {
        return false;
    }

    @Override
    public void close() {
        McpFailure why =
                new McpFailure(McpFailureKind.CONNECTION_LOST, "The connection to the server has been closed.");
        if (ended.compareAndSet(null, why)) {
            pending.values().forEach(call -> call.fail(why.again()));
        }
        watch.interrupt();
        stopProcess();
    }

    private void stopProcess() {
        try {
            if (writing.tryLock(timeouts.end().toNanos(), TimeUnit.NANOSECONDS)) {
                try {
                    process.stdin().close();
                } catch (IOException alreadyClosed) {
                    // Then the server has seen the end of its input.
                } finally {
                    writing.unlock();
                }
                if (process.waitFor(timeouts.end())) {
                    return;
                }
            }
            process.terminate();
            if (process.waitFor(timeouts.terminate())) {
                return;
            }
            process.kill();
            if (!process.waitFor(timeouts.kill())) {
                log.warn("A server process has not ended though it was killed");
            }
        } catch (InterruptedException stopped) {
            process.kill();
            Thread.currentThread().interrupt();
        }
    }

    private static String printable(String text) {
        return text.replaceAll("[^\\x20-\\x7e]+", " ");
    }
}
