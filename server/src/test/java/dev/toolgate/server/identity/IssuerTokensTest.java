package dev.toolgate.server.identity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.crypto.opts.AllowWeakRSAKey;
import com.nimbusds.jose.jwk.OctetSequenceKey;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.OctetSequenceKeyGenerator;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import dev.toolgate.core.call.Unavailable;
import dev.toolgate.core.identity.Identity;
import dev.toolgate.server.identity.FakeIssuer.Behaviour;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class IssuerTokensTest {
    private static RSAKey first;
    private static RSAKey second;

    private FakeIssuer issuer;
    private Tokens tokens;

    @BeforeAll
    static void makeKeys() throws Exception {
        first = FakeIssuer.rsaKey("first");
        second = FakeIssuer.rsaKey("second");
    }

    @BeforeEach
    void open() throws IOException {
        issuer = new FakeIssuer();
        issuer.publish(first.toPublicJWK());
        tokens = Tokens.trusting(new TokenSettings.Issuer(FakeIssuer.NAME, issuer.address()));
    }

    @AfterEach
    void close() {
        tokens.close();
        issuer.close();
    }

    @Test
    void tokens_of_published_keys_are_accepted_and_the_keys_are_fetched_once() throws Exception {
        var curve = FakeIssuer.ecKey("curve");
        issuer.publish(first.toPublicJWK(), curve.toPublicJWK());

        accepted(FakeIssuer.sign(first, tokens.claims().build()));
        accepted(FakeIssuer.sign(first, tokens.claims().subject("bob").build()));
        accepted(FakeIssuer.sign(curve, tokens.claims().build()));
        assertThat(issuer.fetches()).isEqualTo(1);
    }

    @Test
    void fetches_a_new_key_at_once_and_drops_a_withdrawn_one_in_minutes() throws Exception {
        String old = FakeIssuer.sign(first, tokens.claims().build());
        accepted(old);

        issuer.publish(second.toPublicJWK());
        accepted(FakeIssuer.sign(second, tokens.claims().build()));

        tokens.clock().advance(Duration.ofMinutes(2));
        refused(FakeIssuer.sign(first, tokens.claims().build()));
        refused(old);
    }

    @Test
    void unknown_key_ids_do_not_cause_repeated_fetches_or_lock_out_valid_tokens() throws Exception {
        accepted(FakeIssuer.sign(first, tokens.claims().build()));
        for (int i = 0; i < 50; i++) {
            RSAKey madeUp = new RSAKey.Builder(second).keyID("made up " + i).build();
            assertThat(tokens.identify(FakeIssuer.sign(madeUp, tokens.claims().build()), "198.51.100." + i))
                    .isInstanceOf(Identity.Unknown.class);
        }
        assertThat(issuer.fetches()).isEqualTo(2);

        tokens.clock().advance(Duration.ofMinutes(6)); // the keys are stale, and there may have been an extra fetch
        refused(FakeIssuer.sign(second, tokens.claims().build()));
        accepted(FakeIssuer.sign(first, tokens.claims().build()));
    }

    @Test
    void a_published_key_is_not_accepted_as_an_hmac_secret() throws Exception {
        for (byte[] known : List.of(
                first.toRSAPublicKey().getEncoded(),
                first.toPublicJWK().toJSONString().getBytes(StandardCharsets.UTF_8),
                first.getModulus().decode())) {
            for (String id : List.of("first", "other")) {
                refused(FakeIssuer.signed(
                        new JWSHeader.Builder(JWSAlgorithm.HS256).keyID(id).build(),
                        tokens.claims().claim("role", "admin").build(),
                        new MACSigner(known)));
            }
        }
    }

    @Test
    void a_shared_secret_among_the_published_keys_is_not_used() throws Exception {
        OctetSequenceKey secret =
                new OctetSequenceKeyGenerator(256).keyID("secret").generate();
        issuer.publishRaw("{\"keys\":[" + secret.toJSONString() + "]}");

        refused(FakeIssuer.signed(
                new JWSHeader.Builder(JWSAlgorithm.HS256).keyID("secret").build(),
                tokens.claims().build(),
                new MACSigner(secret)));
    }

    @Test
    void a_key_embedded_in_the_token_is_not_used() throws Exception {
        JWSHeader bringing = new JWSHeader.Builder(JWSAlgorithm.RS256)
                .jwk(second.toPublicJWK())
                .keyID("second")
                .build();

        refused(FakeIssuer.signed(bringing, tokens.claims().build(), new RSASSASigner(second)));
    }

    @Test
    void a_published_key_that_is_too_weak_is_not_used() throws Exception {
        RSAKey weak = new RSAKeyGenerator(1024, true).keyID("weak").generate();
        issuer.publish(weak.toPublicJWK());

        refused(FakeIssuer.signed(
                new JWSHeader.Builder(JWSAlgorithm.RS256).keyID("weak").build(),
                tokens.claims().build(),
                new RSASSASigner(weak.toPrivateKey(), Set.of(AllowWeakRSAKey.getInstance()))));
    }

    @Test
    void a_failing_slow_redirecting_or_flooding_issuer_is_unavailable() throws Exception {
        String token = FakeIssuer.sign(first, tokens.claims().build());
        for (Behaviour way : List.of(Behaviour.FAILS, Behaviour.STALLS, Behaviour.REDIRECTS)) {
            issuer.behave(way);
            unavailable(token);
            tokens.clock().advance(Duration.ofSeconds(3));
        }
        issuer.behave(Behaviour.ANSWERS);
        issuer.publishRaw("{\"keys\":[" + " ".repeat(1_000_000) + "]}");
        unavailable(token);

        issuer.publish(first.toPublicJWK());
        tokens.clock().advance(Duration.ofSeconds(3));
        accepted(token);
    }

    @Test
    void cached_keys_survive_a_short_outage_of_the_issuer_but_not_a_long_one() throws Exception {
        accepted(FakeIssuer.sign(first, tokens.claims().build()));
        issuer.behave(Behaviour.FAILS);

        tokens.clock().advance(Duration.ofMinutes(10));
        accepted(FakeIssuer.sign(first, tokens.claims().build()));
        tokens.clock().advance(Duration.ofMinutes(6));
        unavailable(FakeIssuer.sign(first, tokens.claims().build()));
    }

    @Test
    void keys_are_fetched_only_by_https_or_from_loopback() {
        for (String address : List.of("http://issuer.example/keys", "file:///etc/passwd", "https:///keys", "keys")) {
            assertThatThrownBy(() -> new TokenSettings.Issuer(FakeIssuer.NAME, URI.create(address)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageStartingWith("The address of the issuer's keys must be an https URL");
        }
    }

    private void accepted(String token) {
        assertThat(tokens.identify(token)).isInstanceOf(Identity.Known.class);
    }

    private void refused(String token) {
        assertThat(tokens.identify(token)).isInstanceOf(Identity.Unknown.class);
    }

    private void unavailable(String token) {
        assertThatThrownBy(() -> tokens.identify(token)).isInstanceOf(Unavailable.class);
    }
}
