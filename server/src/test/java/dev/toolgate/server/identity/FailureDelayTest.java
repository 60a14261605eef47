package dev.toolgate.server.identity;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.identity.Identity;
import dev.toolgate.core.identity.Principal;
import dev.toolgate.core.identity.Role;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class FailureDelayTest {
    private static final Identity WRONG = new Identity.Unknown("no");
    private static final Identity RIGHT =
            new Identity.Known(Principal.of(new TenantId("acme"), Role.ADMIN, "key:1", null));
    private static final String ATTACKER = "203.0.113.9";
    private static final String HONEST = "203.0.113.10";

    private final ManualClock clock = new ManualClock();
    private final FailureDelay delay = new FailureDelay(clock);

    @Test
    void after_ten_failures_the_delay_doubles_up_to_a_minute() {
        fail(10, ATTACKER);

        for (int seconds : new int[] {1, 2, 4, 8, 16, 32, 60, 60}) {
            assertThat(attempt(ATTACKER, WRONG)).isEqualTo(new Identity.SlowedDown(Duration.ofSeconds(seconds)));
            assertThat(attempt(ATTACKER, RIGHT)).as("nothing is checked").isInstanceOf(Identity.SlowedDown.class);
            clock.advance(Duration.ofSeconds(seconds));
            assertThat(attempt(ATTACKER, WRONG)).isEqualTo(WRONG);
        }
    }

    @Test
    void failures_are_reset_by_a_success_and_by_time() {
        fail(9, ATTACKER);
        assertThat(attempt(ATTACKER, RIGHT)).isEqualTo(RIGHT);
        fail(9, ATTACKER);
        clock.advance(Duration.ofMinutes(2));
        fail(9, ATTACKER);

        assertThat(attempt(ATTACKER, RIGHT)).isEqualTo(RIGHT);
    }

    @Test
    void a_success_with_one_kind_does_not_reset_failures_of_another() {
        fail(10, ATTACKER);
        assertThat(delay.counted("token", ATTACKER, RIGHT)).isEqualTo(RIGHT);

        assertThat(attempt(ATTACKER, WRONG)).isInstanceOf(Identity.SlowedDown.class);
    }

    @Test
    void failures_of_another_address_cause_no_delay() {
        fail(10, ATTACKER);

        assertThat(attempt(HONEST, RIGHT)).isEqualTo(RIGHT);
    }

    @Test
    void unguessable_credentials_are_accepted_despite_other_failures() {
        for (int i = 0; i < 10; i++) {
            assertThat(delay.counted("key", ATTACKER, WRONG)).isEqualTo(WRONG);
        }

        assertThat(delay.counted("key", ATTACKER, WRONG)).isEqualTo(new Identity.SlowedDown(Duration.ofSeconds(1)));
        assertThat(delay.counted("key", ATTACKER, RIGHT)).isEqualTo(RIGHT);
    }

    @Test
    void addresses_of_one_network_are_counted_together() {
        for (int i = 0; i < 10; i++) {
            attempt("2001:db8:1:2::" + i, WRONG);
        }

        assertThat(attempt("2001:db8:1:2:ffff::1", WRONG)).isInstanceOf(Identity.SlowedDown.class);
        assertThat(attempt("2001:db8:1:3::1", RIGHT)).isEqualTo(RIGHT);
        fail(10, "192.0.2.7");
        assertThat(attempt("::ffff:192.0.2.7", WRONG)).isInstanceOf(Identity.SlowedDown.class);
    }

    @Test
    void loopback_is_treated_like_any_other_address() {
        fail(10, "127.0.0.1");

        assertThat(attempt("127.0.0.1", WRONG)).isInstanceOf(Identity.SlowedDown.class);
    }

    @Test
    void failures_of_many_clients_use_bounded_memory() {
        for (int i = 0; i < 200_000; i++) {
            attempt("10." + (i >> 16) + "." + (i >> 8 & 255) + "." + (i & 255), WRONG);
        }

        assertThat(delay.size()).isLessThanOrEqualTo(50_000);
    }

    private void fail(int times, String address) {
        for (int i = 0; i < times; i++) {
            assertThat(attempt(address, WRONG)).isEqualTo(WRONG);
        }
    }

    private Identity attempt(String address, Identity outcome) {
        return delay.unlessWaiting("key", address, () -> outcome);
    }
}
