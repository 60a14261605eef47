package dev.toolgate.mcp.client;

import dev.toolgate.mcp.jsonrpc.RpcMessage;
import dev.toolgate.mcp.protocol.McpMethods;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Delivers notifications to the listener on its own thread, so that a slow listener delays no call. Bounded:
 * notifications that do not fit are dropped. Changes of lists always fit, since pending ones of the same list are
 * merged, and log messages leave half of the places to the others.
 */
final class NotificationQueue implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(NotificationQueue.class);
    private static final Set<String> LIST_CHANGES =
            Set.of(McpMethods.TOOLS_CHANGED, McpMethods.PROMPTS_CHANGED, McpMethods.RESOURCES_CHANGED);

    private final NotificationListener listener;
    private final int capacity;
    private final BlockingQueue<RpcMessage.Notification> waiting;
    private final Set<String> changed = ConcurrentHashMap.newKeySet();
    private final AtomicLong dropped = new AtomicLong();
    private final Thread thread;

    NotificationQueue(NotificationListener listener, int capacity) {
        this.listener = listener;
        this.capacity = capacity;
        this.waiting = new ArrayBlockingQueue<>(capacity + LIST_CHANGES.size());
        this.thread = Thread.ofVirtual().name("mcp-notifications").start(this::deliver);
    }

    /** Enqueues a notification; never blocks. */
    synchronized void add(RpcMessage.Notification notification) {
        String method = notification.method();
        if (LIST_CHANGES.contains(method)) {
            if (changed.add(method)) {
                waiting.add(notification);
            }
        } else if (waiting.size() < (method.equals(McpMethods.LOG_MESSAGE) ? capacity / 2 : capacity)) {
            waiting.add(notification);
        } else if (dropped.getAndIncrement() == 0) {
            log.warn("The server sends notifications faster than they are handled; some are dropped");
        }
    }

    /** How many notifications did not fit. */
    long dropped() {
        return dropped.get();
    }

    private void deliver() {
        try {
            while (true) {
                RpcMessage.Notification next = waiting.take();
                changed.remove(next.method());
                try {
                    listener.notified(next.method(), next.params());
                } catch (RuntimeException failed) {
                    log.warn("The listener failed at {}", next.method(), failed);
                }
            }
        } catch (InterruptedException closed) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        thread.interrupt();
    }
}
