package dev.toolgate.chat.loop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.toolgate.chat.model.ChatRequest;
import dev.toolgate.chat.model.Message;
import dev.toolgate.chat.model.Usage;
import dev.toolgate.core.call.Cancellation;
import dev.toolgate.core.policy.LlmPolicy;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Contract of token meters. */
@Timeout(60)
public abstract class TokenMeterContract {
    private static final int THREADS = 64;
    private static final ChatRequest ASK =
            ChatRequest.of("fake-1", List.of(new Message.User("x".repeat(400)))); // about 100 tokens

    /** The meter of an unused session; the same one during a test. */
    protected abstract TokenMeter meter();

    /** The same session's meter on another server. */
    protected abstract TokenMeter onAnotherServer();

    @Test
    void a_reservation_is_spent_until_settled() {
        assertThat(meter().reserve(1, 300, 1000)).isEqualTo(300);
        assertThat(onAnotherServer().spent()).isEqualTo(300);

        onAnotherServer().settle(300, 120);

        assertThat(meter().spent()).isEqualTo(120);
        assertThat(meter().reserve(1, 880, 1000)).isEqualTo(880);
        meter().settle(880, 0);
        assertThat(meter().spent()).isEqualTo(120);
    }

    @Test
    void the_remainder_is_reserved_only_if_it_suffices() {
        meter().settle(0, 900);

        assertThat(meter().reserve(101, 200, 1000)).isZero();
        assertThat(meter().spent()).isEqualTo(900);
        assertThat(meter().reserve(100, 200, 1000)).isEqualTo(100);
        assertThat(meter().reserve(1, 1, 1000)).isZero();
        assertThat(meter().reserve(1, 1, 0)).isZero();
        assertThat(meter().spent()).isEqualTo(1000);
    }

    @Test
    void the_first_reservation_is_limited_by_the_budget() {
        assertThat(meter().reserve(51, 80, 50)).isZero();
        assertThat(meter().spent()).isZero();
        assertThat(meter().reserve(1, 80, 50)).isEqualTo(50);
        assertThat(meter().spent()).isEqualTo(50);
    }

    @Test
    void usage_beyond_the_reservation_is_counted() {
        assertThat(meter().reserve(1, 100, 100)).isEqualTo(100);

        meter().settle(100, 130);

        assertThat(meter().spent()).isEqualTo(130);
        assertThat(meter().reserve(1, 1, 100)).isZero();
    }

    @Test
    void settling_an_unknown_reservation_releases_nothing() {
        meter().settle(0, 10);

        meter().settle(500, 5);

        assertThat(meter().spent()).isEqualTo(15);
    }

    @Test
    void invalid_values_never_release_tokens() {
        meter().settle(0, Long.MAX_VALUE);
        meter().settle(0, Long.MAX_VALUE);
        assertThat(meter().spent()).isEqualTo(Long.MAX_VALUE);
        assertThat(meter().reserve(1, 1, Long.MAX_VALUE)).isZero();

        assertThatThrownBy(() -> meter().settle(0, -1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> meter().settle(-1, 0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> meter().reserve(0, 5, 10)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> meter().reserve(6, 5, 10)).isInstanceOf(IllegalArgumentException.class);
        assertThat(meter().spent()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void concurrent_reservations_on_two_servers_use_exactly_the_budget() throws Exception {
        List<Long> given = together(i -> () -> of(i).reserve(10, 30, 1000));

        assertThat(given.stream().mapToLong(Long::longValue).sum()).isEqualTo(1000);
        assertThat(given).filteredOn(tokens -> tokens == 30).hasSize(33);
        assertThat(given).filteredOn(tokens -> tokens == 10).hasSize(1);
        assertThat(given).filteredOn(tokens -> tokens == 0).hasSize(THREADS - 34);
    }

    @Test
    void concurrent_reservations_and_settlements_lose_nothing() throws Exception {
        var _ = together(i -> () -> {
            for (int n = 0; n < 5; n++) {
                long reserved = of(i).reserve(1, 20, 1_000_000);
                of(i).settle(reserved, 7);
            }
            return i;
        });

        assertThat(meter().spent()).isEqualTo(THREADS * 5 * 7);
    }

    /** Every model waits until all messages were either sent or refused. */
    @Test
    void concurrent_messages_never_exceed_the_budget() throws Exception {
        CountDownLatch decided = new CountDownLatch(THREADS);
        FakeModel model = new FakeModel((out, cancellation) -> {
            decided.countDown();
            await(decided);
            FakeModel.says(new Usage(100, 50), "Noon.").answer(out, cancellation);
        });
        LlmPolicy policy = new LlmPolicy(null, null, null, 1000L);

        List<TurnResult> endings = together(i -> () -> {
            TurnResult ending = new ToolLoop(model, LoopFixture.ECHO)
                    .run(new ChatTurn("m" + i, ASK.withMaxTokens(50), policy, of(i)), _ -> {}, new Cancellation());
            if (ending.failure() != null) {
                decided.countDown();
            }
            return ending;
        });

        List<TurnResult> answered =
                endings.stream().filter(each -> each.failure() == null).toList();
        assertThat(model.requests()).as("150 tokens each, of 1000").hasSize(6);
        assertThat(answered).hasSize(6);
        assertThat(answered.stream().mapToLong(each -> each.usage().total()).sum())
                .isEqualTo(900);
        assertThat(meter().spent()).isEqualTo(900);
        assertThat(endings.stream().map(TurnResult::failure).filter(Objects::nonNull))
                .hasSize(THREADS - 6)
                .allSatisfy(failure -> assertThat(failure.code()).isEqualTo("LLM_BUDGET_EXCEEDED"));
    }

    private TokenMeter of(int number) {
        return number % 2 == 0 ? meter() : onAnotherServer();
    }

    private static <T> List<T> together(IntFunction<Callable<T>> work) throws Exception {
        CountDownLatch start = new CountDownLatch(1);
        List<Future<T>> running = new ArrayList<>();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < THREADS; i++) {
                Callable<T> mine = work.apply(i);
                running.add(threads.submit(() -> {
                    await(start);
                    return mine.call();
                }));
            }
            start.countDown();
        }
        List<T> results = new ArrayList<>();
        for (Future<T> each : running) {
            results.add(each.get());
        }
        return results;
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException interrupt) {
            throw new IllegalStateException(interrupt);
        }
    }
}
