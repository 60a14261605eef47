package dev.toolgate.runtime.upstream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.toolgate.core.json.Json;
import dev.toolgate.mcp.client.transport.McpFailure;
import dev.toolgate.mcp.client.transport.McpFailureKind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.node.ObjectNode;

@Timeout(60)
class CachedListTest {
    private static final Duration LONG = Duration.ofHours(1);
    private static final CachedList.Times PATIENT = new CachedList.Times(LONG, LONG, LONG);
    private static final CachedList.Times IMPATIENT = new CachedList.Times(LONG, Duration.ofMillis(20), LONG);

    private final AtomicInteger fetches = new AtomicInteger();
    private final AtomicInteger changes = new AtomicInteger();
    private final CountDownLatch answer = new CountDownLatch(1);
    private volatile List<ObjectNode> offered = listOf("one");
    private volatile boolean hangs;
    private volatile boolean fails;
    private volatile boolean overflows;

    @AfterEach
    void endFetches() {
        answer.countDown();
    }

    private static List<ObjectNode> listOf(String name) {
        return List.of(Json.MAPPER.createObjectNode().put("name", name));
    }

    private CachedList list(CachedList.Times times) {
        return new CachedList("remote", this::fetch, () -> true, times, changes::incrementAndGet);
    }

    private List<ObjectNode> fetch() throws McpFailure {
        fetches.incrementAndGet();
        try {
            if (hangs) {
                answer.await();
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
        if (overflows) {
            throw new StackOverflowError();
        }
        if (fails) {
            throw new McpFailure(McpFailureKind.TIMEOUT, "There is no answer.");
        }
        return offered;
    }

    @Test
    void all_callers_wait_for_one_fetch() throws Exception {
        hangs = true;
        CachedList list = list(PATIENT);
        try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<List<ObjectNode>>> waiting = new ArrayList<>();
            for (int i = 0; i < 5; i++) {
                waiting.add(callers.submit(list::get));
            }
            await().until(() -> fetches.get() == 1);
            assertThat(list.getIfKnown()).isEmpty();

            answer.countDown();

            for (Future<List<ObjectNode>> each : waiting) {
                assertThat(each.get()).isEqualTo(offered);
            }
        }
        assertThat(list.getIfKnown()).isEqualTo(offered);
        assertThat(fetches).hasValue(1);
        assertThat(changes).as("all callers have the list").hasValue(0);
    }

    @Test
    void a_fetch_that_hangs_goes_on_in_the_background() throws Exception {
        hangs = true;
        CachedList list = list(IMPATIENT);

        assertThat(list.get()).isEmpty();
        assertThat(list.get()).isEmpty();

        answer.countDown();
        await().untilAsserted(() -> assertThat(changes).hasValue(1));
        assertThat(list.get()).isEqualTo(offered);
        assertThat(fetches).hasValue(1);
    }

    @Test
    void the_last_list_is_served_while_a_changed_one_is_fetched() throws Exception {
        CachedList list = list(PATIENT);
        List<ObjectNode> before = list.get();
        hangs = true;
        offered = listOf("two");
        list.invalidate();

        assertThat(list.getIfKnown()).isEqualTo(before);

        answer.countDown();
        await().untilAsserted(() -> assertThat(changes).hasValue(1));
        assertThat(list.getIfKnown()).isEqualTo(offered);
        assertThat(fetches).hasValue(2);
    }

    @Test
    void a_change_during_a_fetch_is_not_missed() throws Exception {
        CachedList list = list(PATIENT);
        List<ObjectNode> before = list.get();
        hangs = true;
        list.invalidate();
        assertThat(list.getIfKnown()).isEqualTo(before);
        await().until(() -> fetches.get() == 2);
        list.invalidate();

        answer.countDown();

        await().untilAsserted(() -> assertThat(changes).hasValue(1));
        offered = listOf("two");
        assertThat(list.get()).isEqualTo(offered);
    }

    @Test
    void a_failed_fetch_is_not_repeated_soon() throws Exception {
        fails = true;
        CachedList list = list(PATIENT);

        assertThat(list.get()).isEmpty();
        assertThat(list.get()).isEmpty();
        assertThat(fetches).hasValue(1);

        fails = false;
        list.retry();
        assertThat(list.get()).isEqualTo(offered);
        assertThat(changes).hasValue(0);
    }

    @Test
    void a_change_whose_fetch_failed_is_fetched_over_a_new_connection() throws Exception {
        CachedList list = list(PATIENT);
        List<ObjectNode> before = list.get();
        fails = true;
        list.invalidate();
        assertThat(list.get()).isEqualTo(before);
        fails = false;
        offered = listOf("two");

        list.retry();

        assertThat(list.get()).isEqualTo(offered);
    }

    @Test
    void an_error_during_a_fetch_does_not_block_the_next() throws Exception {
        overflows = true;
        CachedList list = list(IMPATIENT);
        assertThat(list.get()).isEmpty();
        overflows = false;

        await().until(() -> {
            list.retry();
            return list.get().equals(offered);
        });
    }

    @Test
    void a_change_is_fetched_after_a_failure_but_not_waited_for() throws Exception {
        fails = true;
        CachedList list = list(PATIENT);
        assertThat(list.get()).isEmpty();
        fails = false;
        hangs = true;
        list.invalidate();

        assertThat(list.get()).isEmpty();

        answer.countDown();
        await().untilAsserted(() -> assertThat(changes).hasValue(1));
        assertThat(list.get()).isEqualTo(offered);
        assertThat(fetches).hasValue(2);
    }
}
