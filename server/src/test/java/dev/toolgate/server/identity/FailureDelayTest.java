package dev.toolgate.server.identity;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.core.call.TenantId;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class FailureDelayTest {
    private static final Identity WRONG = new Identity.Unknown("no");
    private static final Identity RIGHT =
            new Identity.Known(new Principal(new TenantId("acme"), Role.ADMIN, "key:1", null));
    private static final String ATTACKER = "203.0.113.9";
    private static final String HONEST = "203.0.113.10";

    private final ManualClock clock = new ManualClock();
    private final FailureDelay delay = new FailureDelay(clock);

    @Test
    void after_ten_failures_every_further_one_costs_twice_the_time_up_to_a_minute() {
        fail(10, ATTACKER, null);

        for (int seconds : new int[] {1, 2, 4, 8, 16, 32, 60, 60}) {
            assertThat(attempt(ATTACKER, null, WRONG)).isEqualTo(new Identity.SlowedDown(Duration.ofSeconds(seconds)));
            assertThat(attempt(ATTACKER, null, RIGHT))
                    .as("nothing is looked at")
                    .isInstanceOf(Identity.SlowedDown.class);
            clock.advance(Duration.ofSeconds(seconds));
            assertThat(attempt(ATTACKER, null, WRONG)).isEqualTo(WRONG);
        }
    }

    @Test
    void a_success_forgives_and_so_does_time() {
        fail(9, ATTACKER, null);
        assertThat(attempt(ATTACKER, null, RIGHT)).isEqualTo(RIGHT);
        fail(9, ATTACKER, null);
        clock.advance(Duration.ofMinutes(2));
        fail(9, ATTACKER, null);

        assertThat(attempt(ATTACKER, null, RIGHT)).isEqualTo(RIGHT);
    }

    @Test
    void a_success_with_one_kind_of_credentials_forgives_no_failures_with_another() {
        fail(10, ATTACKER, null);
        assertThat(delay.slowed("token", ATTACKER, null, () -> RIGHT)).isEqualTo(RIGHT);

        assertThat(attempt(ATTACKER, null, WRONG)).isInstanceOf(Identity.SlowedDown.class);
    }

    @Test
    void nobody_waits_for_what_others_did_not_even_with_the_same_key() {
        fail(10, ATTACKER, "tg_12345678");

        assertThat(attempt(HONEST, "tg_12345678", RIGHT)).isEqualTo(RIGHT);
    }

    @Test
    void many_addresses_that_fail_with_the_same_beginning_of_a_key_share_their_failures() {
        for (int i = 0; i < 10; i++) {
            assertThat(attempt("203.0.113." + (20 + i), "tg_12345678", WRONG)).isEqualTo(WRONG);
        }

        assertThat(attempt("203.0.113.20", "tg_12345678", WRONG)).isInstanceOf(Identity.SlowedDown.class);
        assertThat(attempt("203.0.113.20", "tg_other678", WRONG)).isEqualTo(WRONG);
    }

    @Test
    void whoever_has_many_addresses_of_one_network_counts_as_one() {
        for (int i = 0; i < 10; i++) {
            attempt("2001:db8:1:2::" + i, null, WRONG);
        }

        assertThat(attempt("2001:db8:1:2:ffff::1", null, WRONG)).isInstanceOf(Identity.SlowedDown.class);
        assertThat(attempt("2001:db8:1:3::1", null, RIGHT)).isEqualTo(RIGHT);
        fail(10, "192.0.2.7", null);
        assertThat(attempt("::ffff:192.0.2.7", null, WRONG)).isInstanceOf(Identity.SlowedDown.class);
    }

    @Test
    void this_machine_is_treated_like_any_other() {
        fail(10, "127.0.0.1", null);

        assertThat(attempt("127.0.0.1", null, WRONG)).isInstanceOf(Identity.SlowedDown.class);
    }

    @Test
    void failures_of_very_many_do_not_fill_memory() {
        for (int i = 0; i < 200_000; i++) {
            attempt("10." + (i >> 16) + "." + (i >> 8 & 255) + "." + (i & 255), "tg_" + i, WRONG);
        }

        assertThat(delay.size()).isLessThanOrEqualTo(50_000);
    }

    private void fail(int times, String address, @Nullable String what) {
        for (int i = 0; i < times; i++) {
            assertThat(attempt(address, what, WRONG)).isEqualTo(WRONG);
        }
    }

    private Identity attempt(String address, @Nullable String what, Identity outcome) {
        return delay.slowed("key", address, what, () -> outcome);
    }
}
