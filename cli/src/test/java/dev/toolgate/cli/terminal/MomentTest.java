package dev.toolgate.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import org.junit.jupiter.api.Test;

class MomentTest {
    private static final Clock IN_VIENNA =
            Clock.fixed(Instant.parse("2026-06-01T12:00:00Z"), ZoneId.of("Europe/Vienna"));

    @Test
    void a_time_without_a_zone_is_local() {
        assertThat(Moment.parse("2026-07-01", IN_VIENNA)).isEqualTo("2026-06-30T22:00:00Z");
        assertThat(Moment.parse("2026-07-01T08:30", IN_VIENNA)).isEqualTo("2026-07-01T06:30:00Z");
        assertThat(Moment.parse("2026-07-01T08:30:00Z", IN_VIENNA)).isEqualTo("2026-07-01T08:30:00Z");
        assertThat(Moment.parse("2026-07-01T08:30:00-05:00", IN_VIENNA)).isEqualTo("2026-07-01T13:30:00Z");
    }

    @Test
    void durations_start_now() {
        assertThat(Moment.after("90m", IN_VIENNA)).isEqualTo("2026-06-01T13:30:00Z");
        assertThat(Moment.duration("7d")).isEqualTo(Duration.ofDays(7));
    }

    @Test
    void anything_else_is_refused_with_examples() {
        assertThatThrownBy(() -> Moment.parse("tomorrow", IN_VIENNA))
                .isInstanceOf(WrongUsage.class)
                .hasMessageContaining("2026-12-31T18:00");
        assertThatThrownBy(() -> Moment.duration("1 h"))
                .isInstanceOf(WrongUsage.class)
                .hasMessageContaining("8h");
    }
}
