package dev.toolgate.core.call;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.HashSet;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class RequestIdTest {
    @Test
    void generated_ids_are_different_and_begin_with_the_time() {
        long before = Instant.now().toEpochMilli();
        Set<String> ids = new HashSet<>();
        for (int i = 0; i < 10_000; i++) {
            ids.add(RequestId.generated().value());
        }
        long after = Instant.now().toEpochMilli();

        assertThat(ids).hasSize(10_000).allSatisfy(id -> {
            UUID uuid = UUID.fromString(id);
            assertThat(uuid.version()).isEqualTo(7);
            assertThat(uuid.variant()).isEqualTo(2);
            assertThat(uuid.getMostSignificantBits() >>> 16).isBetween(before, after);
        });
    }
}
