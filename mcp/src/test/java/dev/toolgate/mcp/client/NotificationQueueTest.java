package dev.toolgate.mcp.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.toolgate.mcp.jsonrpc.RpcMessage;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** What a listener still gets from a server that sends more than it can handle. */
class NotificationQueueTest {
    private static final int CAPACITY = 10;
    private static final int FLOOD = 100;
    private static final String LOG = "notifications/message";
    private static final String UPDATED = "notifications/resources/updated";
    private static final List<String> LISTS = List.of(
            "notifications/tools/list_changed",
            "notifications/prompts/list_changed",
            "notifications/resources/list_changed");

    private final List<String> heard = new CopyOnWriteArrayList<>();
    private final CountDownLatch isBusy = new CountDownLatch(1);
    private final CountDownLatch isFree = new CountDownLatch(1);

    private NotificationQueue withBusyListener() throws InterruptedException {
        NotificationQueue queue = new NotificationQueue(
                (method, params) -> {
                    isBusy.countDown();
                    try {
                        isFree.await();
                    } catch (InterruptedException closed) {
                        Thread.currentThread().interrupt();
                    }
                    heard.add(method);
                },
                CAPACITY);
        add(queue, "first", 1);
        isBusy.await();
        return queue;
    }

    private static void add(NotificationQueue queue, String method, int times) {
        for (int i = 0; i < times; i++) {
            queue.add(new RpcMessage.Notification(method, null));
        }
    }

    private List<String> heard(int count) {
        isFree.countDown();
        await().until(() -> heard.size() >= count);
        return heard;
    }

    @Test
    void log_messages_displace_nothing_else() throws Exception {
        try (NotificationQueue queue = withBusyListener()) {
            add(queue, LOG, FLOOD);
            add(queue, UPDATED, CAPACITY / 2);

            assertThat(heard(1 + CAPACITY))
                    .filteredOn(method -> method.equals(UPDATED))
                    .hasSize(CAPACITY / 2);
            assertThat(queue.dropped()).isEqualTo(FLOOD - CAPACITY / 2);
        }
    }

    @Test
    void a_changed_list_is_heard_of_whatever_else_was_sent() throws Exception {
        try (NotificationQueue queue = withBusyListener()) {
            add(queue, UPDATED, FLOOD);
            LISTS.forEach(list -> add(queue, list, FLOOD));

            assertThat(heard(1 + CAPACITY + LISTS.size()))
                    .filteredOn(method -> !method.equals(UPDATED))
                    .containsExactly("first", LISTS.get(0), LISTS.get(1), LISTS.get(2));
            assertThat(queue.dropped()).isEqualTo(FLOOD - CAPACITY);
        }
    }
}
