package dev.toolgate.store.audit.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.toolgate.core.audit.AuditLog;
import dev.toolgate.core.call.TenantId;
import dev.toolgate.store.MigratedDatabase;
import dev.toolgate.store.audit.AuditStore;
import dev.toolgate.store.audit.FaultyProxy;
import dev.toolgate.store.audit.record.AuditRecord;
import dev.toolgate.store.connection.DatabaseUrl;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class AuditFeedTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final AuditFilter ALL = AuditFilter.of(AuditStore.ACME);

    private AuditStore store;
    private AuditFeed feed;

    @BeforeEach
    void open() throws Exception {
        store = AuditStore.open();
        store.log().record(AuditStore.completed("before"));
        feed = new AuditFeed(store.database().unpooled());
    }

    @AfterEach
    void close() throws Exception {
        feed.close();
        store.close();
    }

    @Test
    void new_records_of_every_instance_are_delivered_once() throws Exception {
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
    void only_records_that_match_the_filter_are_delivered() throws Exception {
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
    void a_slow_reader_gets_the_queue_and_then_an_error() throws Exception {
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
    void records_written_during_an_outage_are_delivered_afterwards() throws Exception {
        DatabaseUrl url = MigratedDatabase.fresh();
        try (FaultyProxy proxy = new FaultyProxy(url);
                AuditStore writing = AuditStore.open(url);
                AuditStore reading = AuditStore.open(proxy.to(url));
                AuditFeed follower = new AuditFeed(reading.database().unpooled());
                AuditSubscription subscription = follower.subscribe(ALL)) {
            writing.log().record(AuditStore.completed("first"));
            assertThat(next(subscription)).isEqualTo("first");
            proxy.cut();
            writing.log().record(AuditStore.completed("meanwhile"));
            proxy.mend();
            writing.log().record(AuditStore.completed("after"));

            assertThat(next(subscription)).isEqualTo("meanwhile");
            assertThat(next(subscription)).isEqualTo("after");
        }
    }

    @Test
    void a_resumed_reader_gets_what_it_missed_once_at_any_instance() throws Exception {
        List<String> got = new ArrayList<>();
        String position;
        try (AuditStore second = AuditStore.open(store.url())) {
            try (AuditSubscription first = feed.subscribe(ALL)) {
                store.log().record(AuditStore.completed("seen"));
                assertThat(next(first)).isEqualTo("seen");
                position = Objects.requireNonNull(first.position());
            }
            for (int i = 0; i < 600; i++) {
                (i % 3 == 0 ? second : store).log().record(AuditStore.completed("missed" + i));
            }
            try (AuditStore third = AuditStore.open(store.url());
                    AuditFeed elsewhere = new AuditFeed(second.database().unpooled())) {
                third.log().record(AuditStore.completed("of a new chain"));
                try (AuditSubscription resumed = elsewhere.resume(ALL, position)) {
                    third.log().record(AuditStore.completed("live"));
                    while (got.size() < 400) {
                        resumed.next(TIMEOUT)
                                .ifPresent(record -> got.add(record.call().requestId()));
                    }
                    position = Objects.requireNonNull(resumed.position());
                }
                try (AuditSubscription resumed = elsewhere.resume(ALL, position)) {
                    while (got.size() < 602) {
                        resumed.next(TIMEOUT)
                                .ifPresent(record -> got.add(record.call().requestId()));
                    }
                    position = Objects.requireNonNull(resumed.position());
                    assertThat(resumed.next(Duration.ofMillis(500))).isEmpty();
                }
                try (AuditSubscription resumed = elsewhere.resume(ALL, position)) {
                    assertThat(resumed.next(Duration.ofMillis(500))).isEmpty();
                }
            }
        }
        assertThat(got)
                .doesNotHaveDuplicates()
                .contains("of a new chain", "live")
                .doesNotContain("seen", "before");
    }

    @Test
    void a_position_is_limited_to_its_tenant_and_to_recent_records() throws Exception {
        String beginning = "0;";
        try (AuditSubscription strangers = feed.resume(AuditFilter.of(new TenantId("other")), beginning)) {
            assertThat(strangers.next(Duration.ZERO)).isEmpty();
        }
        try (AuditSubscription own = feed.resume(ALL, beginning)) {
            assertThat(next(own)).isEqualTo("before");
        }
        store.sql("UPDATE audit_instances SET last_sequence = last_sequence + 20000");
        try (AuditSubscription tooFar = feed.resume(ALL, beginning)) {
            assertThatThrownBy(() -> tooFar.next(Duration.ZERO))
                    .isInstanceOf(AuditSubscription.TooSlow.class)
                    .hasMessageContaining("query the log");
        }
        await().until(() -> feed.listeners() == 0);
        for (String wrong :
                List.of("", ";", "x;", "1", "1;a=1", "1;" + new UUID(0, 1) + "=", "1;=1", "1;".repeat(4000))) {
            assertThat(AuditFeed.isPosition(wrong)).as(wrong).isFalse();
        }
        assertThat(AuditFeed.isPosition("9223372036854775807;" + new UUID(0, 1) + "=-5"))
                .isTrue();
        try (AuditSubscription future =
                feed.resume(AuditFilter.of(new TenantId("other")), "9223372036854775807;" + new UUID(0, 1) + "=-5")) {
            assertThatThrownBy(() -> future.next(Duration.ZERO)).isInstanceOf(AuditSubscription.TooSlow.class);
        }
    }

    private static String next(AuditSubscription subscription) throws Exception {
        Optional<AuditRecord> record = subscription.next(TIMEOUT);
        return record.orElseThrow().call().requestId();
    }
}
