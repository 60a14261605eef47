package dev.toolgate.server.door.mcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.call.Unavailable;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** However many updates a server announces, they are published by one thread, and the last of each resource always. */
@Timeout(60)
class ResourceUpdatesTest {
    private static final TenantId TENANT = new TenantId("default");

    private final List<String> published = new CopyOnWriteArrayList<>();
    private final AtomicInteger publishing = new AtomicInteger();
    private final AtomicInteger atOnce = new AtomicInteger();
    private final AtomicBoolean unavailable = new AtomicBoolean();
    private final Semaphore permits = new Semaphore(0);
    private final ServerSources.Resources source = new ServerSources.Resources();
    private final ResourceUpdates updates = new ResourceUpdates((_, _, uri) -> {
        atOnce.accumulateAndGet(publishing.incrementAndGet(), Math::max);
        permits.acquireUninterruptibly();
        publishing.decrementAndGet();
        published.add(uri);
        if (uri.equals("art://broken")) {
            throw new IllegalStateException("It cannot be published");
        }
        if (unavailable.getAndSet(false)) {
            throw new Unavailable("A listener could not be checked.", null);
        }
    });

    @Test
    void a_flood_of_updates_is_published_once_for_each_resource() {
        Consumer<String> announced = updates.of(TENANT, source);
        announced.accept("art://1");
        await().until(() -> publishing.get() == 1);

        for (int i = 0; i < 1_000; i++) {
            announced.accept("art://1");
            updates.of(TENANT, source).accept("art://2");
        }
        permits.release(1_000);

        await().untilAsserted(() -> assertThat(published).hasSize(3));
        assertThat(published).containsExactly("art://1", "art://1", "art://2");
        assertThat(atOnce).hasValue(1);
        announced.accept("art://3");
        await().untilAsserted(() -> assertThat(published).hasSize(4));
    }

    @Test
    void a_server_whose_updates_wait_delays_no_other() {
        updates.of(TENANT, source).accept("art://1");
        await().until(() -> publishing.get() == 1);

        updates.of(TENANT, new ServerSources.Resources()).accept("art://2");

        await().until(() -> publishing.get() == 2);
        permits.release(2);
    }

    @Test
    void an_update_that_cannot_be_published_prevents_no_later_one() {
        permits.release(1_000);
        Consumer<String> announced = updates.of(TENANT, source);

        announced.accept("art://broken");
        await().untilAsserted(() -> assertThat(published).hasSize(1));
        announced.accept("art://1");

        await().untilAsserted(() -> assertThat(published).containsExactly("art://broken", "art://1"));
    }

    @Test
    void an_update_is_published_again_after_a_check_was_unavailable() {
        permits.release(1_000);
        unavailable.set(true);

        updates.of(TENANT, source).accept("art://1");

        await().untilAsserted(() -> assertThat(published).containsExactly("art://1", "art://1"));
    }
}
