package dev.toolgate.core.call;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RetryDelayTest {
    @ParameterizedTest
    @CsvSource({"PT-5S, 1", "PT0S, 1", "PT0.2S, 1", "PT1S, 1", "PT1.001S, 2", "PT2S, 2", "PT29.5S, 30", "PT1H, 3600"})
    void a_wait_is_rounded_up_to_whole_seconds_and_at_least_one(Duration wait, long seconds) {
        assertThat(RetryDelay.seconds(wait)).isEqualTo(seconds);
        assertThat(Failure.of(ErrorCode.RATE_LIMITED, "Too many calls")
                        .withRetryAfter(wait)
                        .facts())
                .containsEntry("retryAfterSeconds", seconds);
    }
}
