package dev.toolgate.mcp.client.transport;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** How long the pauses are between the attempts to open a stream of notifications. */
class NotificationRetryTest {
    private static final int MANY = 1_000_000;

    @Test
    void pauses_grow_to_a_minute() {
        assertThat(NotificationRetry.after(McpFailureKind.UNREACHABLE, 1)).isEqualTo(Duration.ofSeconds(1));
        assertThat(NotificationRetry.after(McpFailureKind.UNREACHABLE, 3)).isEqualTo(Duration.ofSeconds(4));
        assertThat(NotificationRetry.after(McpFailureKind.UNREACHABLE, MANY)).isEqualTo(Duration.ofMinutes(1));
    }

    @ParameterizedTest
    @EnumSource(names = {"UNAUTHORIZED", "ADDRESS_REFUSED"})
    void refused_credentials_are_not_tried_again_soon(McpFailureKind kind) {
        assertThat(NotificationRetry.after(kind, 1)).isGreaterThanOrEqualTo(Duration.ofMinutes(10));
    }

    @Test
    void a_server_that_does_not_offer_the_stream_is_not_asked_again() {
        assertThat(NotificationRetry.after(McpFailureKind.SERVER_ERROR, 1)).isNull();
    }

    @Test
    void the_server_can_ask_for_longer_pauses_up_to_a_minute() {
        assertThat(NotificationRetry.growing(Duration.ZERO, 0)).isEqualTo(Duration.ofSeconds(1));
        assertThat(NotificationRetry.growing(Duration.ofSeconds(5), 1)).isEqualTo(Duration.ofSeconds(5));
        assertThat(NotificationRetry.growing(Duration.ofSeconds(5), 2)).isEqualTo(Duration.ofSeconds(10));
        assertThat(NotificationRetry.growing(Duration.ofMinutes(5), MANY)).isEqualTo(Duration.ofMinutes(1));
    }
}
