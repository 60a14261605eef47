package dev.toolgate.store.audit.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Callers never wait longer than the timeout, whatever the writer is doing. */
@Timeout(60)
class GroupCommitTimeoutTest {
    private static final Duration SHORT = Duration.ofMillis(100);
    private static final Duration LONG = Duration.ofMinutes(5);

    private final StuckWriter writer = new StuckWriter();

    /** Blocks in the first batch. */
    private static final class StuckWriter implements GroupCommit.Writer<String> {
        final CountDownLatch goOn = new CountDownLatch(1);
        final CountDownLatch writing = new CountDownLatch(1);
        final List<String> written = Collections.synchronizedList(new ArrayList<>());

        @Override
        public Set<String> write(List<String> items) throws InterruptedException {
            writing.countDown();
            goOn.await();
            written.addAll(items);
            return Set.of();
        }

        @Override
        public boolean isCausedByItem(Exception error) {
            return false;
        }

        @Override
        public int weight(String item) {
            return 1;
        }

        @Override
        public void tick() {}
    }

    @Test
    void a_timeout_during_the_write_is_reported_as_unknown() {
        try (GroupCommit<String> commits = new GroupCommit<>("test", 10, SHORT, writer)) {
            assertThatThrownBy(() -> commits.submit("slow"))
                    .isInstanceOfSatisfying(NotRecorded.class, late -> assertThat(late.certainty())
                            .isEqualTo(NotRecorded.Certainty.UNKNOWN));
            writer.goOn.countDown();
        }
        assertThat(writer.written).containsExactly("slow");
    }

    @Test
    void an_item_that_times_out_in_the_queue_is_never_written() throws Exception {
        try (GroupCommit<String> commits = new GroupCommit<>("test", 10, SHORT, writer)) {
            Thread first = Thread.ofVirtual().start(() -> swallowing(commits, "slow"));
            writer.writing.await();
            assertThatThrownBy(() -> commits.submit("withdrawn"))
                    .isInstanceOfSatisfying(NotRecorded.class, late -> assertThat(late.certainty())
                            .isEqualTo(NotRecorded.Certainty.NOT_WRITTEN));
            writer.goOn.countDown();
            first.join();
            commits.submit("after");
        }
        assertThat(writer.written).containsExactly("slow", "after");
    }

    @Test
    void items_are_refused_at_once_after_close() {
        writer.goOn.countDown();
        GroupCommit<String> commits = new GroupCommit<>("test", 10, LONG, writer);
        commits.submit("before");
        commits.close();

        assertThatThrownBy(() -> commits.submit("late")).isInstanceOf(NotRecorded.class);
        assertThat(writer.written).containsExactly("before");
    }

    @Test
    void items_submitted_during_close_are_written_or_refused() {
        writer.goOn.countDown();
        for (int round = 0; round < 50; round++) {
            GroupCommit<String> commits = new GroupCommit<>("test", 1000, LONG, writer);
            List<Thread> callers = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                callers.add(Thread.ofVirtual().start(() -> swallowing(commits, "item")));
            }
            commits.close();
            await().until(() -> callers.stream().noneMatch(Thread::isAlive));
        }
    }

    private static void swallowing(GroupCommit<String> commits, String item) {
        try {
            commits.submit(item);
        } catch (NotRecorded expected) {
            // The result is asserted elsewhere.
        }
    }
}
