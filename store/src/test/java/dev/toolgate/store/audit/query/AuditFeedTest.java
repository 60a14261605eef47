package dev.toolgate.store.audit.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.toolgate.core.audit.AuditLog;
import dev.toolgate.core.call.TenantId;
import dev.toolgate.store.MigratedDatabase;
import dev.toolgate.store.audit.AuditStore;
import dev.toolgate.store.audit.CutCable;
import dev.toolgate.store.audit.record.AuditRecord;
import dev.toolgate.store.connection.DatabaseUrl;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class AuditFeedTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final AuditFilter ALL = AuditFilter.of(AuditStore.ACME);

    private AuditStore store;
    private AuditFeed feed;

    @BeforeEach
    void open() throws Exception {
        store = AuditStore.open();
        store.log().record(AuditStore.completed("before"));
        feed = new AuditFeed(store.database().sessions());
    }

    @AfterEach
    void close() throws Exception {
        feed.close();
        store.close();
    }

    @Test
    void new_records_of_every_instance_come_once_and_old_ones_do_not() throws Exception {
        List<String> expected = IntStream.range(0, 300).mapToObj(i -> "r" + i).toList();
        List<String> got = new ArrayList<>();
        try (AuditStore second = AuditStore.open(store.url());
                AuditSubscription subscription = feed.subscribe(ALL);
                var callers = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 300; i++) {
                AuditLog log = i % 2 == 0 ? store.log() : second.log();
                String request = "r" + i;
                var _ = callers.submit(() -> log.record(AuditStore.completed(request), null));
            }
            while (got.size() < 300) {
                got.add(next(subscription));
            }
            store.log().record(AuditStore.completed("last"));
            assertThat(next(subscription)).isEqualTo("last");
        }
        assertThat(got).containsExactlyInAnyOrderElementsOf(expected);
    }

    @Test
    void only_what_the_filter_wants_comes() throws Exception {
        try (AuditSubscription refusals = feed.subscribe(ALL.allowed(false));
                AuditSubscription texts = feed.subscribe(ALL.text("LS B"));
                AuditSubscription strangers = feed.subscribe(AuditFilter.of(new TenantId("other")));
                AuditSubscription everything = feed.subscribeToAll()) {
            store.log().record(AuditStore.completed("a"));
            store.log().record(AuditStore.call("b", "bob", "bash", AuditStore.NOON, AuditLog.Status.REFUSED));
            store.log().record(AuditStore.call("c", "bob", "bash", AuditStore.NOON, AuditLog.Status.REFUSED));

            assertThat(next(refusals)).isEqualTo("b");
            assertThat(next(refusals)).isEqualTo("c");
            assertThat(next(texts)).isEqualTo("b");
            assertThat(List.of(next(everything), next(everything), next(everything)))
                    .containsExactly("a", "b", "c");
            assertThat(strangers.next(Duration.ZERO)).isEmpty();
        }
    }

    @Test
    void a_reader_that_is_too_slow_gets_what_waited_and_is_told_that_more_is_missing() throws Exception {
        try (AuditSubscription slow = feed.subscribe(ALL);
                AuditSubscription quick = feed.subscribe(ALL.request("last"))) {
            try (var callers = Executors.newVirtualThreadPerTaskExecutor()) {
                for (int i = 0; i < 3000; i++) {
                    String request = "r" + i;
                    var _ = callers.submit(() -> store.log().record(AuditStore.completed(request), null));
                }
            }
            store.log().record(AuditStore.completed("last"));
            assertThat(next(quick)).isEqualTo("last");

            for (int i = 0; i < 2048; i++) {
                assertThat(slow.next(Duration.ZERO)).isPresent();
            }
            assertThatThrownBy(() -> slow.next(Duration.ZERO)).isInstanceOf(AuditSubscription.TooSlow.class);
        }
    }

    @Test
    void what_is_written_while_the_feed_cannot_reach_the_database_comes_afterwards() throws Exception {
        DatabaseUrl url = MigratedDatabase.fresh();
        try (CutCable cable = new CutCable(url);
                AuditStore writing = AuditStore.open(url);
                AuditStore reading = AuditStore.open(cable.to(url));
                AuditFeed follower = new AuditFeed(reading.database().sessions());
                AuditSubscription subscription = follower.subscribe(ALL)) {
            writing.log().record(AuditStore.completed("first"));
            assertThat(next(subscription)).isEqualTo("first");
            cable.cut();
            writing.log().record(AuditStore.completed("meanwhile"));
            cable.mend();
            writing.log().record(AuditStore.completed("after"));

            assertThat(next(subscription)).isEqualTo("meanwhile");
            assertThat(next(subscription)).isEqualTo("after");
        }
    }

    private static String next(AuditSubscription subscription) throws Exception {
        Optional<AuditRecord> record = subscription.next(PATIENCE);
        return record.orElseThrow().call().requestId();
    }
}
