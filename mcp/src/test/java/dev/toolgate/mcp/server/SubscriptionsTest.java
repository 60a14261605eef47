package dev.toolgate.mcp.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.mcp.jsonrpc.RpcId;
import dev.toolgate.mcp.jsonrpc.RpcMessage;
import dev.toolgate.mcp.protocol.McpMethods;
import dev.toolgate.mcp.protocol.MetaKeys;
import dev.toolgate.mcp.protocol.Revision;
import dev.toolgate.mcp.server.offer.Delivery;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.JsonNodeFactory;

class SubscriptionsTest {
    private static final EngineSettings SETTINGS = new EngineSettings(Duration.ofSeconds(1), 1, 2, 3, 10);

    private final Subscriptions subscriptions = new Subscriptions(SETTINGS);

    private Subscription open(long id, String caller) {
        return Objects.requireNonNull(subscriptions.open(
                Revision.R2026_07_28,
                RpcId.of(id),
                caller,
                change -> !(change instanceof ServerChange.PromptsChanged),
                new StreamResources(),
                new RpcMessage.Notification(McpMethods.LISTENING, JsonNodeFactory.instance.objectNode())));
    }

    private static List<String> drained(Subscription subscription) throws InterruptedException {
        List<String> messages = new ArrayList<>();
        while (subscription.next(Duration.ZERO) instanceof Subscription.Send sent) {
            messages.add(
                    switch (sent.message()) {
                        case RpcMessage.Notification notification -> {
                            assertThat(Objects.requireNonNull(notification.params())
                                            .path(MetaKeys.META)
                                            .path(MetaKeys.SUBSCRIPTION_ID)
                                            .asLong())
                                    .isEqualTo(7);
                            yield notification.method();
                        }
                        case RpcMessage.Result result -> "result " + result.id();
                        case RpcMessage.Request _, RpcMessage.Failure _ -> "unexpected";
                    });
        }
        return messages;
    }

    @Test
    void acknowledges_first_and_marks_every_message() throws InterruptedException {
        Subscription subscription = open(7, "alice");
        subscriptions.publish(new ServerChange.ToolsChanged(), _ -> true);

        assertThat(drained(subscription)).containsExactly(McpMethods.LISTENING, McpMethods.TOOLS_CHANGED);
    }

    @Test
    void sends_only_changes_that_are_subscribed_to_and_permitted() throws InterruptedException {
        Subscription subscription = open(7, "alice");
        subscriptions.publish(new ServerChange.PromptsChanged(), _ -> true);
        subscriptions.publish(new ServerChange.ToolsChanged(), "bob"::equals);

        assertThat(drained(subscription)).containsExactly(McpMethods.LISTENING);
        assertThat(subscription.next(Duration.ZERO)).isEqualTo(new Subscription.Idle());
    }

    @Test
    void clients_that_subscribe_at_once_do_not_exceed_the_maximum_together() throws Exception {
        for (int round = 0; round < 50; round++) {
            Subscriptions shared = new Subscriptions(SETTINGS);
            CountDownLatch start = new CountDownLatch(1);
            AtomicInteger opened = new AtomicInteger();
            try (ExecutorService clients = Executors.newFixedThreadPool(8)) {
                for (int client = 0; client < 8; client++) {
                    long id = client;
                    var _ = clients.submit(() -> {
                        start.await();
                        if (shared.open(
                                        Revision.R2026_07_28,
                                        RpcId.of(id),
                                        "alice",
                                        _ -> true,
                                        new StreamResources(),
                                        new RpcMessage.Notification(
                                                McpMethods.LISTENING, JsonNodeFactory.instance.objectNode()))
                                != null) {
                            opened.incrementAndGet();
                        }
                        return null;
                    });
                }
                start.countDown();
            }
            assertThat(opened).hasValue(SETTINGS.maxStreams());
        }
    }

    @Test
    void permission_is_checked_only_for_subscribed_changes() {
        List<Object> opened = new ArrayList<>();
        subscriptions.onOpen(stream -> opened.add(stream.caller()));
        open(7, "alice");
        List<Object> asked = new ArrayList<>();

        subscriptions.publish(new ServerChange.PromptsChanged(), asked::add);
        assertThat(asked).isEmpty();
        subscriptions.publish(new ServerChange.ToolsChanged(), asked::add);

        assertThat(asked).containsExactly("alice");
        assertThat(opened).containsExactly("alice");
    }

    @Test
    void repeated_changes_are_sent_once() throws InterruptedException {
        Subscription subscription = open(7, "alice");
        for (int i = 0; i < 100; i++) {
            subscriptions.publish(new ServerChange.ToolsChanged(), _ -> true);
        }

        assertThat(drained(subscription)).containsExactly(McpMethods.LISTENING, McpMethods.TOOLS_CHANGED);
    }

    @Test
    void a_client_that_does_not_read_loses_its_stream() throws InterruptedException {
        Subscription subscription = open(7, "alice");
        for (int i = 0; i < 10; i++) {
            subscriptions.publish(new ServerChange.ResourceUpdated("a://" + i), _ -> true);
        }

        assertThat(subscription.next(Duration.ZERO)).isEqualTo(new Subscription.End());
    }

    @Test
    void ends_gracefully_with_a_response() throws InterruptedException {
        Subscription subscription = open(7, "alice");
        subscriptions.end("alice"::equals);

        assertThat(drained(subscription)).containsExactly(McpMethods.LISTENING, "result 7");
        assertThat(subscription.next(Duration.ZERO)).isEqualTo(new Subscription.End());
    }

    @Test
    void the_number_of_streams_is_bounded_and_closed_ones_do_not_count() {
        Subscription first = open(1, "alice");
        open(2, "alice");
        assertThat(subscriptions.open(
                        Revision.R2026_07_28,
                        RpcId.of(3),
                        "alice",
                        _ -> true,
                        new StreamResources(),
                        new RpcMessage.Notification(McpMethods.LISTENING, null)))
                .isNull();

        first.close();

        open(4, "alice");
    }

    @Test
    void a_message_that_is_replaced_or_never_written_is_lost() {
        Subscription subscription = open(7, "alice");
        List<Delivery> first = new ArrayList<>();
        List<Delivery> second = new ArrayList<>();
        List<Delivery> late = new ArrayList<>();
        offer(subscription, first);
        offer(subscription, second);
        assertThat(first).containsExactly(Delivery.LOST);
        assertThat(second).isEmpty();

        subscription.close();
        offer(subscription, late);

        assertThat(second).containsExactly(Delivery.LOST);
        assertThat(late).containsExactly(Delivery.LOST);
    }

    private static void offer(Subscription subscription, List<Delivery> deliveries) {
        DeliveryListeners listeners = new DeliveryListeners();
        listeners.add(deliveries::add);
        subscription.offer(new ServerChange.ToolsChanged(), listeners);
    }
}
