package dev.toolgate.http.request;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** Generated correlation ids. */
class CorrelationIdTest {

    @Test
    void later_ids_sort_after_earlier_ones() {
        String earlier = CorrelationId.fresh();
        long then = System.currentTimeMillis();
        Awaitility.await().until(() -> System.currentTimeMillis() > then);

        String later = CorrelationId.fresh();

        assertThat(later).matches("[0-9a-f]{32}").isGreaterThan(earlier);
    }

    @Test
    void ids_of_the_same_millisecond_differ() {
        List<String> ids = Stream.generate(CorrelationId::fresh).limit(10_000).toList();

        assertThat(ids).doesNotHaveDuplicates();
    }
}
