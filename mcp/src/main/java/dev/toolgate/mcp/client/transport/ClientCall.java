package dev.toolgate.mcp.client.transport;

import dev.toolgate.mcp.jsonrpc.RpcId;
import dev.toolgate.mcp.jsonrpc.RpcMessage;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * One request in flight: the bytes to send, the timeout, the receiver of messages before the answer, and the failure
 * that ends it early.
 */
public final class ClientCall {
    /** Receives the messages of a call that arrive before its answer; called on the thread of the call. */
    @FunctionalInterface
    public interface Interim {
        void received(RpcMessage message);
    }

    private final RpcId id;
    private final String method;
    private final byte[] body;
    private final Map<String, String> headers;
    private final CallTimeout timeout;
    private final Interim interim;
    private final long started = System.nanoTime();
    private volatile long lastProgress = started;
    private volatile int answerBytes;
    private final AtomicInteger holds = new AtomicInteger();
    private boolean sent;
    private @Nullable McpFailure ended;
    private @Nullable Runnable onEnd;

    /**
     * @param headers for transports that have headers; the others ignore them
     */
    public ClientCall(
            RpcId id, String method, byte[] body, Map<String, String> headers, CallTimeout timeout, Interim interim) {
        this.id = id;
        this.method = method;
        this.body = body;
        this.headers = headers;
        this.timeout = timeout;
        this.interim = interim;
    }

    public RpcId id() {
        return id;
    }

    public String method() {
        return method;
    }

    /** The request as JSON; must not be modified. */
    public byte[] body() {
        return body;
    }

    public Map<String, String> headers() {
        return headers;
    }

    /** Passes a message on that came before the answer. */
    public void received(RpcMessage message) {
        interim.received(message);
    }

    /** Records the size of the answer. */
    public void answerBytes(int bytes) {
        answerBytes = bytes;
    }

    /** The size of the answer in bytes. */
    public int answerBytes() {
        return answerBytes;
    }

    /** Restarts the idle timeout. */
    public void progressed() {
        lastProgress = System.nanoTime();
    }

    /** Pauses the idle timeout while the server waits for this client's input; the maximum still applies. */
    public void hold() {
        holds.incrementAndGet();
    }

    /** Ends one pause; the idle timeout restarts when no other is left. */
    public void release() {
        progressed();
        holds.decrementAndGet();
    }

    /** How long the call may still wait; zero or less once it has timed out. */
    public Duration remaining() {
        long now = System.nanoTime();
        long idle = timeout.idle().toNanos() - (holds.get() > 0 ? 0 : now - lastProgress);
        long total = timeout.max().toNanos() - (now - started);
        return Duration.ofNanos(Math.min(idle, total));
    }

    /**
     * Called by a transport just before it sends the request.
     *
     * @throws McpFailure if the call has been ended already, so that it must not be sent
     */
    public synchronized void beginSending() throws McpFailure {
        if (ended != null) {
            throw ended;
        }
        sent = true;
    }

    /** Whether the server may have received the request, or a part of it. */
    public synchronized boolean wasSent() {
        return sent;
    }

    /** Ends the call before its answer; later failures are ignored. */
    public void end(McpFailure failure) {
        Runnable reaction;
        synchronized (this) {
            if (ended != null) {
                return;
            }
            ended = failure;
            reaction = onEnd;
            onEnd = null;
        }
        if (reaction != null) {
            reaction.run();
        }
    }

    /** Why the call was ended before its answer; null if it was not. */
    public synchronized @Nullable McpFailure ended() {
        return ended;
    }

    /**
     * Sets the action that stops the wait when the call is ended, in place of an earlier one; runs it at once if the
     * call has ended.
     */
    public void onEnd(Runnable reaction) {
        synchronized (this) {
            if (ended == null) {
                onEnd = reaction;
                return;
            }
        }
        reaction.run();
    }

    /** Ends the call because it timed out. */
    public void endByTimeout() {
        end(new McpFailure(
                McpFailureKind.TIMEOUT,
                "The server did not answer " + method + " within " + seconds(timeout.idle()) + " without progress or "
                        + seconds(timeout.max()) + " in all; the request was cancelled."));
    }

    private static String seconds(Duration duration) {
        return duration.toMillis() % 1000 == 0 ? duration.toSeconds() + " s" : duration.toMillis() + " ms";
    }
}
