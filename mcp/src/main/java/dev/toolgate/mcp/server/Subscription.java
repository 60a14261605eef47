package dev.toolgate.mcp.server;

import dev.toolgate.mcp.jsonrpc.RpcId;
import dev.toolgate.mcp.jsonrpc.RpcMessage;
import dev.toolgate.mcp.protocol.MetaKeys;
import dev.toolgate.mcp.protocol.Revision;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * One client that listens for changes. The transport takes messages out and sends them; a change that was not taken yet
 * is replaced by a later one of the same thing, and a client that takes too little loses its stream.
 */
public final class Subscription implements AutoCloseable {

    /** What to do next. */
    public sealed interface Step {}

    /** A message to send. */
    public record Send(RpcMessage message) implements Step {}

    /** Nothing came for as long as was waited. */
    public record Idle() implements Step {}

    /** The stream ends. */
    public record End() implements Step {}

    private final Revision revision;
    private final @Nullable RpcId id;
    private final Object caller;
    private final Predicate<ServerChange> wanted;
    private final int maxPending;
    private final Consumer<Subscription> onClose;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Map<String, RpcMessage> pending = new LinkedHashMap<>();
    private boolean ended;

    /**
     * @param id of the request that listens; null for the stream of a session
     * @param onClose takes it off the list of those who are told
     */
    Subscription(
            Revision revision,
            @Nullable RpcId id,
            Object caller,
            Predicate<ServerChange> wanted,
            int maxPending,
            Consumer<Subscription> onClose) {
        this.revision = revision;
        this.id = id;
        this.caller = caller;
        this.wanted = wanted;
        this.maxPending = maxPending;
        this.onClose = onClose;
    }

    Object caller() {
        return caller;
    }

    /** Queues what comes before all changes. */
    void begin(RpcMessage.Notification acknowledgement) {
        put("begin", acknowledgement);
    }

    /** Whether the client wants to hear of a change. */
    boolean wants(ServerChange change) {
        return wanted.test(change);
    }

    /** Queues a change, if the client wants to hear of it. */
    void offer(ServerChange change) {
        if (wants(change)) {
            RpcMessage.Notification message = change.notification(revision);
            if (message != null) {
                put(change.key(), message);
            }
        }
    }

    private void put(String key, RpcMessage.Notification message) {
        RpcMessage tagged = tagged(message);
        lock.lock();
        try {
            if (!ended) {
                pending.put(key, tagged);
                ended = pending.size() > maxPending;
                changed.signalAll();
            }
        } finally {
            lock.unlock();
        }
    }

    private RpcMessage tagged(RpcMessage.Notification message) {
        ObjectNode params = message.params();
        if (id != null && params != null) {
            params.putObject(MetaKeys.META).set(MetaKeys.SUBSCRIPTION_ID, id.json());
        }
        return message;
    }

    /** Ends the stream after what is queued, with the response that tells a modern client so. */
    void finish() {
        lock.lock();
        try {
            if (!ended && id != null) {
                ObjectNode result = JsonNodeFactory.instance.objectNode();
                result.put("resultType", "complete").putObject(MetaKeys.META).set(MetaKeys.SUBSCRIPTION_ID, id.json());
                pending.put("end", new RpcMessage.Result(id, result));
            }
            ended = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Waits for something to do. */
    public Step next(Duration timeout) throws InterruptedException {
        long left = timeout.toNanos();
        lock.lockInterruptibly();
        try {
            while (pending.isEmpty() && !ended) {
                if (left <= 0) {
                    return new Idle();
                }
                left = changed.awaitNanos(left);
            }
            Map.Entry<String, RpcMessage> first =
                    pending.isEmpty() ? null : pending.entrySet().iterator().next();
            if (first == null || pending.size() > maxPending) {
                return new End();
            }
            pending.remove(first.getKey());
            return new Send(first.getValue());
        } finally {
            lock.unlock();
        }
    }

    /** Stops listening: the client is gone. */
    @Override
    public void close() {
        lock.lock();
        try {
            ended = true;
            pending.clear();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        onClose.accept(this);
    }
}
