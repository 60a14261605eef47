package dev.toolgate.server.identity;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.identity.Credentials;
import dev.toolgate.core.identity.Identity;
import dev.toolgate.core.identity.Principal;
import dev.toolgate.core.identity.Role;
import dev.toolgate.store.WithinASecond;
import dev.toolgate.store.identity.CreatedKey;
import dev.toolgate.store.identity.NewKey;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class KeysTest {
    private IdentityFixture instance;

    @BeforeEach
    void open() throws Exception {
        instance = IdentityFixture.open();
    }

    @AfterEach
    void close() throws Exception {
        instance.close();
    }

    @Test
    void a_valid_key_identifies_its_bearer() {
        AgentId alice = new AgentId("alice");
        CreatedKey made = instance.key(Role.AGENT, alice);

        Principal expected =
                Principal.of(IdentityFixture.ACME, Role.AGENT, made.key().principal(), alice);
        assertThat(instance.identify("Bearer " + made.text())).isEqualTo(new Identity.Known(expected));
        assertThat(instance.identify("bearer  " + made.text() + " ")).isEqualTo(new Identity.Known(expected));
    }

    @Test
    void missing_credentials_or_another_scheme_get_a_hint() {
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
        Identity answer = new Identity.Unknown("This key is unknown; check that it was copied completely.");
        try (IdentityFixture elsewhere = IdentityFixture.openAlone()) {
            assertThat(elsewhere.identify("Bearer " + genuine)).isEqualTo(answer);
        }
        assertThat(instance.identify("Bearer " + mistyped)).isEqualTo(answer);
        assertThat(instance.identify("Bearer let-me-in-please-now")).isEqualTo(answer);
    }

    @Test
    void revoked_and_expired_keys_are_refused_at_once_with_the_reason() {
        CreatedKey revoked = instance.key(Role.ADMIN, null);
        CreatedKey expiring = instance.keys()
                .create(NewKey.of(
                        IdentityFixture.ACME,
                        "operator",
                        null,
                        "short",
                        instance.clock().instant().plusSeconds(60),
                        "root"));
        assertThat(instance.identify("Bearer " + revoked.text())).isInstanceOf(Identity.Known.class);
        assertThat(instance.identify("Bearer " + expiring.text())).isInstanceOf(Identity.Known.class);

        instance.keys().revoke(IdentityFixture.ACME, revoked.key().id(), "root");
        instance.clock().advance(Duration.ofSeconds(61));

        assertThat(instance.identify("Bearer " + revoked.text()))
                .isEqualTo(new Identity.Unknown("This key has been revoked; ask for a new one."));
        assertThat(instance.identify("Bearer " + expiring.text()))
                .isInstanceOfSatisfying(Identity.Unknown.class, unknown -> assertThat(unknown.reason())
                        .startsWith("This key expired at "));
    }

    @Test
    void a_key_revoked_elsewhere_stops_within_a_second_without_notification() throws Exception {
        try (IdentityFixture other = IdentityFixture.openAnother()) {
            other.verified().stopWatching();
            CreatedKey made = instance.key(Role.ADMIN, null);
            assertThat(other.identify("Bearer " + made.text())).isInstanceOf(Identity.Known.class);

            instance.keys().revoke(IdentityFixture.ACME, made.key().id(), "root");

            WithinASecond.holds(() -> other.identify("Bearer " + made.text()) instanceof Identity.Unknown);
        }
    }
}
