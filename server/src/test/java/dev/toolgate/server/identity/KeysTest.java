package dev.toolgate.server.identity;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.identity.Credentials;
import dev.toolgate.core.identity.Identity;
import dev.toolgate.core.identity.Principal;
import dev.toolgate.core.identity.Role;
import dev.toolgate.store.WithinASecond;
import dev.toolgate.store.identity.MadeKey;
import dev.toolgate.store.identity.NewKey;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class KeysTest {
    private Instance instance;

    @BeforeEach
    void open() throws Exception {
        instance = Instance.open();
    }

    @AfterEach
    void close() throws Exception {
        instance.close();
    }

    @Test
    void a_key_says_who_its_bearer_is() {
        AgentId alice = new AgentId("alice");
        MadeKey made = instance.key(Role.AGENT, alice);

        Principal expected = new Principal(Instance.ACME, Role.AGENT, made.key().principal(), alice);
        assertThat(instance.identify("Bearer " + made.text())).isEqualTo(new Identity.Known(expected));
        assertThat(instance.identify("bearer  " + made.text() + " ")).isEqualTo(new Identity.Known(expected));
    }

    @Test
    void nothing_or_another_scheme_is_answered_with_what_to_send() {
        Identity answer = new Identity.Unknown("Send a key or token in the Authorization header as 'Bearer …'.");
        Credentials nothing = new Credentials(null, null, null, Credentials.Kind.READS, "192.0.2.1");

        assertThat(instance.chain().identify(nothing)).isEqualTo(answer);
        assertThat(instance.identify("Basic cm9vdDpyb290")).isEqualTo(answer);
        assertThat(instance.identify("Bearer ")).isEqualTo(answer);
    }

    @Test
    void an_unknown_a_mistyped_and_a_made_up_key_get_the_same_answer() throws Exception {
        String genuine = instance.key(Role.ADMIN, null).text();
        String mistyped = genuine.substring(0, 20) + (genuine.charAt(20) == 'a' ? 'b' : 'a') + genuine.substring(21);
        Identity answer = new Identity.Unknown("This key is not known here; check that it was copied whole.");
        try (Instance elsewhere = Instance.openAlone()) {
            assertThat(elsewhere.identify("Bearer " + genuine)).isEqualTo(answer);
        }
        assertThat(instance.identify("Bearer " + mistyped)).isEqualTo(answer);
        assertThat(instance.identify("Bearer let-me-in-please-now")).isEqualTo(answer);
    }

    @Test
    void a_revoked_key_says_so_at_once_and_an_expired_one_too() {
        MadeKey revoked = instance.key(Role.ADMIN, null);
        MadeKey expiring = instance.keys()
                .create(new NewKey(
                        Instance.ACME,
                        "operator",
                        null,
                        "short",
                        instance.clock().instant().plusSeconds(60),
                        "root"));
        assertThat(instance.identify("Bearer " + revoked.text())).isInstanceOf(Identity.Known.class);
        assertThat(instance.identify("Bearer " + expiring.text())).isInstanceOf(Identity.Known.class);

        instance.keys().revoke(Instance.ACME, revoked.key().id(), "root");
        instance.clock().advance(Duration.ofSeconds(61));

        assertThat(instance.identify("Bearer " + revoked.text()))
                .isEqualTo(new Identity.Unknown("This key has been revoked; ask for a new one."));
        assertThat(instance.identify("Bearer " + expiring.text()))
                .isInstanceOfSatisfying(Identity.Unknown.class, unknown -> assertThat(unknown.reason())
                        .startsWith("This key expired at "));
    }

    @Test
    void a_key_revoked_elsewhere_stops_working_within_a_second_also_when_nothing_is_heard_of_it() throws Exception {
        try (Instance other = Instance.openAnother()) {
            other.verified().stopWatching();
            MadeKey made = instance.key(Role.ADMIN, null);
            assertThat(other.identify("Bearer " + made.text())).isInstanceOf(Identity.Known.class);

            instance.keys().revoke(Instance.ACME, made.key().id(), "root");

            WithinASecond.holds(() -> other.identify("Bearer " + made.text()) instanceof Identity.Unknown);
        }
    }
}
