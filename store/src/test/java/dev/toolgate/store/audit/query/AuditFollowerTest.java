package dev.toolgate.store.audit.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.toolgate.store.audit.AuditStore;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class AuditFollowerTest {
    private AuditStore store;
    private AuditFollower follower;

    @BeforeEach
    void open() throws Exception {
        store = AuditStore.open();
        follower = new AuditFollower(store.database().dataSource());
    }

    @AfterEach
    void close() throws Exception {
        store.close();
    }

    @Test
    void every_record_of_every_chain_is_returned_once() throws Exception {
        try (AuditStore second = AuditStore.open(store.url())) {
            for (int i = 0; i < 7; i++) {
                store.log().record(AuditStore.completed("one-" + i));
                second.log().record(AuditStore.completed("two-" + i));
            }
            assertThat(all(null, 3))
                    .hasSize(14)
                    .doesNotHaveDuplicates()
                    .containsSubsequence("one-0", "one-1", "one-6")
                    .containsSubsequence("two-0", "two-6");
        }
    }

    @Test
    void a_cursor_finds_later_records_and_new_chains() throws Exception {
        store.log().record(AuditStore.completed("before"));
        String place = follower.after(null, 10).getLast().cursor();
        assertThat(follower.after(place, 10)).isEmpty();

        store.log().record(AuditStore.completed("after"));
        try (AuditStore second = AuditStore.open(store.url())) {
            second.log().record(AuditStore.completed("elsewhere"));
        }
        assertThat(all(place, 10)).containsExactlyInAnyOrder("after", "elsewhere");
    }

    @Test
    void the_cursor_omits_ended_chains_that_were_read() throws Exception {
        store.log().record(AuditStore.completed("first"));
        store.log().close();
        store.sql("UPDATE audit_instances SET ended_at = ended_at - interval '1 hour'");
        try (AuditStore second = AuditStore.open(store.url())) {
            second.log().record(AuditStore.completed("second"));
            List<AuditFollower.Followed> found = follower.after(null, 10);

            assertThat(found).hasSize(2);
            assertThat(found.getLast().cursor()).matches("\\d+;\\d+=\\d+");
            assertThat(found.getLast().cursor()).doesNotStartWith("0;");
        }
    }

    @Test
    void the_cursor_does_not_grow_with_the_number_of_server_starts() throws Exception {
        store.log().record(AuditStore.completed("first"));
        for (int i = 0; i < 5; i++) {
            try (AuditStore other = AuditStore.open(store.url())) {
                other.log().record(AuditStore.completed("other-" + i));
            }
        }
        store.sql("UPDATE audit_instances SET ended_at = ended_at - interval '1 hour'");
        String place = follower.after(null, 10).getLast().cursor();
        store.log().record(AuditStore.completed("last"));
        List<AuditFollower.Followed> found = follower.after(place, 10);

        assertThat(found).extracting(next -> next.record().call().requestId()).containsExactly("last");
        assertThat(found.getLast().cursor()).matches("\\d+;\\d+=\\d+(,\\d+=\\d+)?");
    }

    @Test
    void an_invalid_cursor_is_rejected() {
        assertThatThrownBy(() -> follower.after("nowhere", 1)).isInstanceOf(IllegalArgumentException.class);
    }

    private List<String> all(@Nullable String from, int step) {
        List<String> requests = new ArrayList<>();
        String cursor = from;
        while (true) {
            List<AuditFollower.Followed> some = follower.after(cursor, step);
            if (some.isEmpty()) {
                return requests;
            }
            some.forEach(found -> requests.add(found.record().call().requestId()));
            cursor = some.getLast().cursor();
        }
    }
}
