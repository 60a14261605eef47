package dev.toolgate.mcp.server;

import dev.toolgate.mcp.protocol.TaskState;
import dev.toolgate.mcp.server.offer.OfferedTasks;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The tasks of one subscription: each is queried as its client would, until it is over, and the client is notified of
 * changes. So it does not matter at which instance a task runs, and a client that may no longer see one is told nothing.
 */
final class FollowedTasks {
    /** The maximum number of tasks that are queried for a subscription; each costs a query per interval. */
    static final int MAX_TASKS = 20;

    private static final Logger LOG = LoggerFactory.getLogger(FollowedTasks.class);
    private static final Duration DEFAULT_INTERVAL = Duration.ofSeconds(2);

    private final OfferedTasks offered;
    private final RunningRequest request;
    private final Subscription subscription;
    private final Map<String, TaskState> unfinished = new HashMap<>();

    /**
     * @param tasks their current states
     */
    FollowedTasks(
            OfferedTasks offered, RunningRequest request, Subscription subscription, Map<String, TaskState> tasks) {
        this.offered = offered;
        this.request = request;
        this.subscription = subscription;
        unfinished.putAll(tasks);
    }

    /** Follows the tasks on a thread of its own until they or the subscription have ended. */
    void start() {
        // Otherwise changes since the call that created a task would be missed.
        unfinished.values().forEach(this::notifyClient);
        unfinished.values().removeIf(TaskState::isOver);
        if (unfinished.isEmpty()) {
            return;
        }
        Thread.ofVirtual().name("mcp-tasks").start(() -> {
            try {
                follow();
            } catch (InterruptedException stopping) {
                Thread.currentThread().interrupt();
            }
        });
    }

    private void follow() throws InterruptedException {
        while (!unfinished.isEmpty() && !subscription.awaitEnd(interval())) {
            for (TaskState known : Map.copyOf(unfinished).values()) {
                update(known);
            }
        }
    }

    private Duration interval() {
        return unfinished.values().stream()
                .map(TaskState::pollInterval)
                .filter(Objects::nonNull)
                .min(Duration::compareTo)
                .orElse(DEFAULT_INTERVAL);
    }

    private void update(TaskState known) throws InterruptedException {
        TaskState now;
        try {
            now = offered.get(request, known.id());
        } catch (RuntimeException unavailable) {
            LOG.debug("The state of a task is queried again later", unavailable);
            return;
        }
        if (now == null || now.isOver()) {
            unfinished.remove(known.id());
        } else {
            unfinished.put(known.id(), now);
        }
        if (now != null && !isSame(known, now)) {
            notifyClient(now);
        }
    }

    private static boolean isSame(TaskState known, TaskState now) {
        return known.status().equals(now.status()) && Objects.equals(known.statusMessage(), now.statusMessage());
    }

    private void notifyClient(TaskState state) {
        DeliveryListeners deliveryListeners = new DeliveryListeners();
        if (state.isOver()) {
            offered.sendingOutcome(request, state.id(), deliveryListeners::add);
        }
        subscription.offer(new ServerChange.TaskChanged(state), deliveryListeners);
    }
}
