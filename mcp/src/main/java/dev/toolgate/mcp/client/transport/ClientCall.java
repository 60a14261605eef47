package dev.toolgate.mcp.client.transport;

import dev.toolgate.mcp.jsonrpc.RpcId;
import dev.toolgate.mcp.jsonrpc.RpcMessage;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * One request on its way: the bytes to send, how long to wait, who hears of what arrives before the answer, and the
 * failure that ends it early.
 */
public final class ClientCall {
    /** Hears of messages that belong to a call and come before its answer; called on the thread of the call. */
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

    /** The request as JSON; not changed by anybody. */
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

    /** Says how many bytes the answer has. */
    public void answerBytes(int bytes) {
        answerBytes = bytes;
    }

    /** How many bytes the answer had. */
    public int answerBytes() {
        return answerBytes;
    }

    /** Starts the idle timeout anew. */
    public void progressed() {
        lastProgress = System.nanoTime();
    }

    /** Stops the idle timeout while the server waits for input of ours; the maximum goes on. */
    public void hold() {
        holds.incrementAndGet();
    }

    /** Starts the idle timeout anew once nothing holds it. */
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

    /** Ends the call before its answer; only the first failure counts. */
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

    /** Says how to stop waiting when the call is ended; replaces what was said before, and runs at once if it has been. */
    public void onEnd(Runnable reaction) {
        synchronized (this) {
            if (ended == null) {
                onEnd = reaction;
                return;
            }
        }
        reaction.run();
    }

    /** Ends the call because its time is over. */
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
