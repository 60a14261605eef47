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

/** What every meter of a session's tokens does, wherever it counts. */
@Timeout(60)
public abstract class TokenMeterContract {
    private static final int CROWD = 64;
    private static final ChatRequest ASK =
            ChatRequest.of("fake-1", List.of(new Message.User("x".repeat(400)))); // about 100 tokens

    /** The meter of a session that has used nothing; the same one for a whole test. */
    protected abstract TokenMeter meter();

    /** The same session, as another server counts it. */
    protected abstract TokenMeter onAnotherServer();

    @Test
    void what_is_set_aside_is_spent_until_it_is_settled() {
        assertThat(meter().reserve(1, 300, 1000)).isEqualTo(300);
        assertThat(onAnotherServer().spent()).isEqualTo(300);

        onAnotherServer().settle(300, 120);

        assertThat(meter().spent()).isEqualTo(120);
        assertThat(meter().reserve(1, 880, 1000)).isEqualTo(880);
        meter().settle(880, 0);
        assertThat(meter().spent()).isEqualTo(120);
    }

    @Test
    void the_rest_is_given_if_it_is_enough_and_nothing_is_taken_if_it_is_not() {
        meter().settle(0, 900);

        assertThat(meter().reserve(101, 200, 1000)).isZero();
        assertThat(meter().spent()).isEqualTo(900);
        assertThat(meter().reserve(100, 200, 1000)).isEqualTo(100);
        assertThat(meter().reserve(1, 1, 1000)).isZero();
        assertThat(meter().reserve(1, 1, 0)).isZero();
        assertThat(meter().spent()).isEqualTo(1000);
    }

    @Test
    void the_first_of_a_session_gets_no_more_than_there_is() {
        assertThat(meter().reserve(51, 80, 50)).isZero();
        assertThat(meter().spent()).isZero();
        assertThat(meter().reserve(1, 80, 50)).isEqualTo(50);
        assertThat(meter().spent()).isEqualTo(50);
    }

    @Test
    void an_answer_that_took_more_than_was_set_aside_is_counted_whole() {
        assertThat(meter().reserve(1, 100, 100)).isEqualTo(100);

        meter().settle(100, 130);

        assertThat(meter().spent()).isEqualTo(130);
        assertThat(meter().reserve(1, 1, 100)).isZero();
    }

    @Test
    void what_was_never_set_aside_is_not_given_back() {
        meter().settle(0, 10);

        meter().settle(500, 5);

        assertThat(meter().spent()).isEqualTo(15);
    }

    @Test
    void nonsense_never_gives_tokens_back() {
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
    void a_crowd_on_two_servers_is_given_the_budget_once_and_to_its_last_token() throws Exception {
        List<Long> given = together(i -> () -> of(i).reserve(10, 30, 1000));

        assertThat(given.stream().mapToLong(Long::longValue).sum()).isEqualTo(1000);
        assertThat(given).filteredOn(tokens -> tokens == 30).hasSize(33);
        assertThat(given).filteredOn(tokens -> tokens == 10).hasSize(1);
        assertThat(given).filteredOn(tokens -> tokens == 0).hasSize(CROWD - 34);
    }

    @Test
    void a_crowd_that_takes_and_gives_back_loses_nothing() throws Exception {
        var _ = together(i -> () -> {
            for (int n = 0; n < 5; n++) {
                long reserved = of(i).reserve(1, 20, 1_000_000);
                of(i).settle(reserved, 7);
            }
            return i;
        });

        assertThat(meter().spent()).isEqualTo(CROWD * 5 * 7);
    }

    /** Every model is made to wait until each message was either sent to it or refused. */
    @Test
    void sixty_four_messages_at_once_never_use_more_than_the_session_may() throws Exception {
        CountDownLatch decided = new CountDownLatch(CROWD);
        FakeModel model = new FakeModel((out, cancellation) -> {
            decided.countDown();
            await(decided);
            FakeModel.says(new Usage(100, 50), "Noon.").answer(out, cancellation);
        });
        LlmPolicy policy = new LlmPolicy(null, null, null, 1000L);

        List<Ending> endings = together(i -> () -> {
            Ending ending = new ToolLoop(model, LoopFixture.ECHO)
                    .run(new ChatTurn("m" + i, ASK.upTo(50), policy, of(i)), _ -> {}, new Cancellation());
            if (ending.failure() != null) {
                decided.countDown();
            }
            return ending;
        });

        List<Ending> answered =
                endings.stream().filter(each -> each.failure() == null).toList();
        assertThat(model.requests()).as("150 tokens each, of 1000").hasSize(6);
        assertThat(answered).hasSize(6);
        assertThat(answered.stream().mapToLong(each -> each.usage().total()).sum())
                .isEqualTo(900);
        assertThat(meter().spent()).isEqualTo(900);
        assertThat(endings.stream().map(Ending::failure).filter(Objects::nonNull))
                .hasSize(CROWD - 6)
                .allSatisfy(failure -> assertThat(failure.code()).isEqualTo("LLM_BUDGET_EXCEEDED"));
    }

    private TokenMeter of(int number) {
        return number % 2 == 0 ? meter() : onAnotherServer();
    }

    private static <T> List<T> together(IntFunction<Callable<T>> work) throws Exception {
        CountDownLatch start = new CountDownLatch(1);
        List<Future<T>> running = new ArrayList<>();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < CROWD; i++) {
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
