package dev.toolgate.mcp.server;

import dev.toolgate.mcp.jsonrpc.RpcId;
import dev.toolgate.mcp.jsonrpc.RpcMessage;
import dev.toolgate.mcp.protocol.MetaKeys;
import dev.toolgate.mcp.protocol.Revision;
import dev.toolgate.mcp.server.offer.Delivery;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * The subscription of one client to changes. The transport polls messages and sends them; a queued change is replaced
 * by a later one of the same thing, and the stream of a client that does not keep up is closed.
 */
public final class Subscription implements AutoCloseable {

    /** What to do next. */
    public sealed interface Step {}

    /**
     * A message to send.
     *
     * @param deliveryListeners of this message
     */
    public record Send(RpcMessage message, DeliveryListeners deliveryListeners) implements Step {
        /** Writes the message, and notifies its listeners. */
        public void to(MessageWriter writer) throws IOException {
            Delivery delivery = Delivery.LOST;
            try {
                writer.write(message);
                delivery = Delivery.WRITTEN;
            } finally {
                deliveryListeners.end(delivery);
            }
        }

        private void drop() {
            deliveryListeners.end(Delivery.LOST);
        }
    }

    /** Writes messages to a client. */
    @FunctionalInterface
    public interface MessageWriter {
        /**
         * Writes a message.
         *
         * @throws IOException if the client is disconnected or does not read
         */
        void write(RpcMessage message) throws IOException;
    }

    /** Nothing arrived within the timeout. */
    public record Idle() implements Step {}

    /** The stream ends. */
    public record End() implements Step {}

    private final Revision revision;
    private final @Nullable RpcId id;
    private final Object caller;
    private final Predicate<ServerChange> wanted;
    private final int maxPending;
    private final StreamResources resources;
    private final Consumer<Subscription> onClose;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Map<String, Send> pending = new LinkedHashMap<>();
    private boolean ended;

    /**
     * @param id of the listen request; null for the stream of a session
     * @param resources closed with the subscription
     * @param onClose removes it from the open subscriptions
     */
    Subscription(
            Revision revision,
            @Nullable RpcId id,
            Object caller,
            Predicate<ServerChange> wanted,
            int maxPending,
            StreamResources resources,
            Consumer<Subscription> onClose) {
        this.revision = revision;
        this.id = id;
        this.caller = caller;
        this.wanted = wanted;
        this.maxPending = maxPending;
        this.resources = resources;
        this.onClose = onClose;
    }

    /** Who opened the stream. */
    public Object caller() {
        return caller;
    }

    StreamResources resources() {
        return resources;
    }

    /** Queues the acknowledgement, before all changes. */
    void begin(RpcMessage.Notification acknowledgement) {
        put("begin", acknowledgement, new DeliveryListeners());
    }

    /** Whether the client subscribed to a change. */
    public boolean wants(ServerChange change) {
        return wanted.test(change);
    }

    /** Queues a change, if the client subscribed to it. */
    public void offer(ServerChange change) {
        offer(change, new DeliveryListeners());
    }

    /**
     * Queues a change, if the client subscribed to it.
     *
     * @param deliveryListeners called when it was written, or is lost
     */
    void offer(ServerChange change, DeliveryListeners deliveryListeners) {
        RpcMessage.Notification message = wants(change) ? change.notification(revision) : null;
        if (message == null) {
            deliveryListeners.end(Delivery.LOST);
        } else {
            put(change.key(), message, deliveryListeners);
        }
    }

    private void put(String key, RpcMessage.Notification message, DeliveryListeners deliveryListeners) {
        Send added = new Send(tagged(message), deliveryListeners);
        Send dropped = added;
        lock.lock();
        try {
            if (!ended) {
                dropped = pending.put(key, added);
                ended = pending.size() > maxPending;
                changed.signalAll();
            }
        } finally {
            lock.unlock();
        }
        if (dropped != null) {
            dropped.drop();
        }
    }

    private RpcMessage tagged(RpcMessage.Notification message) {
        ObjectNode params = message.params();
        if (id != null && params != null) {
            params.putObject(MetaKeys.META).set(MetaKeys.SUBSCRIPTION_ID, id.json());
        }
        return message;
    }

    /** Ends the stream after the queued messages; a modern client gets the final response first. */
    void finish() {
        lock.lock();
        try {
            if (!ended && id != null) {
                ObjectNode result = JsonNodeFactory.instance.objectNode();
                result.put("resultType", "complete").putObject(MetaKeys.META).set(MetaKeys.SUBSCRIPTION_ID, id.json());
                pending.put("end", new Send(new RpcMessage.Result(id, result), new DeliveryListeners()));
            }
            ended = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Waits for the next step. */
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
            Map.Entry<String, Send> first =
                    pending.isEmpty() ? null : pending.entrySet().iterator().next();
            if (first == null || pending.size() > maxPending) {
                return new End();
            }
            pending.remove(first.getKey());
            return first.getValue();
        } finally {
            lock.unlock();
        }
    }

    /** Waits until the subscription ends; false if it has not within the timeout. */
    boolean awaitEnd(Duration timeout) throws InterruptedException {
        long left = timeout.toNanos();
        lock.lockInterruptibly();
        try {
            while (!ended && left > 0) {
                left = changed.awaitNanos(left);
            }
            return ended;
        } finally {
            lock.unlock();
        }
    }

    /** Closes the subscription: the client has disconnected. */
    @Override
    public void close() {
        List<Send> dropped;
        lock.lock();
        try {
            ended = true;
            dropped = List.copyOf(pending.values());
            pending.clear();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        dropped.forEach(Send::drop);
        onClose.accept(this);
        resources.close();
    }
}
