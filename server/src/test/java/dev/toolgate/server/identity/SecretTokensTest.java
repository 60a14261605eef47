package dev.toolgate.server.identity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.PlainJWT;
import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.identity.Identity;
import dev.toolgate.core.identity.Principal;
import dev.toolgate.core.identity.Role;
import java.time.Duration;
import java.util.Date;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SecretTokensTest {
    private static final String SECRET = "a secret of more than thirty-two bytes";
    private static final TokenSettings.Secret TRUST = new TokenSettings.Secret(SECRET, FakeIssuer.NAME);

    private final Tokens tokens = Tokens.trusting(TRUST);

    @AfterEach
    void close() {
        tokens.close();
    }

    @Test
    void a_valid_token_identifies_its_bearer() throws Exception {
        assertThat(tokens.identify(sign(tokens.claims().build())))
                .isEqualTo(new Identity.Known(
                        Principal.of(new TenantId("acme"), Role.AGENT, "token:alice", new AgentId("alice"))));
        assertThat(tokens.identify(sign(tokens.claims().claim("agent_id", "bob").build())))
                .isEqualTo(new Identity.Known(
                        Principal.of(new TenantId("acme"), Role.AGENT, "token:alice", new AgentId("bob"))));
        assertThat(tokens.identify(
                        sign(tokens.claims().claim("role", List.of("operator")).build())))
                .isEqualTo(new Identity.Known(Principal.of(new TenantId("acme"), Role.OPERATOR, "token:alice", null)));
    }

    @Test
    void claims_can_have_other_names_and_a_tenant_can_be_implied() throws Exception {
        TokenSettings settings = new TokenSettings(
                TRUST, "toolgate", new TokenSettings.ClaimNames("org", "duty", "who"), new TenantId("default"));
        try (Tokens others = Tokens.with(settings)) {
            JWTClaimsSet claims =
                    others.claims().claim("duty", "agent").claim("who", "carol").build();
            assertThat(others.identify(sign(claims)))
                    .isEqualTo(new Identity.Known(
                            Principal.of(new TenantId("default"), Role.AGENT, "token:alice", new AgentId("carol"))));
            refused(
                    others,
                    sign(others.claims().claim("duty", "agent").claim("org", 7).build()),
                    "names no tenant");
        }
    }

    @Test
    void an_unsigned_token_is_refused() {
        refused(tokens, new PlainJWT(tokens.claims().claim("role", "admin").build()).serialize(), "not signed");
    }

    @Test
    void a_token_signed_with_another_secret_or_changed_afterwards_is_refused() throws Exception {
        JWSHeader header = new JWSHeader(JWSAlgorithm.HS256);
        String forged = FakeIssuer.signed(
                header, tokens.claims().build(), new MACSigner("another secret of thirty-two bytes or so"));
        refused(tokens, forged, "not signed");

        String[] parts = sign(tokens.claims().build()).split("\\.");
        String[] wanted = sign(tokens.claims().claim("role", "admin").build()).split("\\.");
        refused(tokens, parts[0] + "." + wanted[1] + "." + parts[2], "not signed");
        refused(tokens, parts[0] + "." + parts[1] + ".", "not signed");
    }

    @Test
    void an_unexpected_algorithm_is_refused() throws Exception {
        String longSecret = SECRET.repeat(2);
        try (Tokens others = Tokens.trusting(new TokenSettings.Secret(longSecret, null))) {
            refused(
                    others,
                    FakeIssuer.signed(
                            new JWSHeader(JWSAlgorithm.HS512), others.claims().build(), new MACSigner(longSecret)),
                    "not signed");
        }
    }

    @Test
    void a_token_for_another_audience_or_of_another_issuer_is_refused() throws Exception {
        refused(tokens, sign(tokens.claims().audience("elsewhere").build()), "aud");
        refused(tokens, sign(tokens.claims().audience((String) null).build()), "aud");
        refused(tokens, sign(tokens.claims().issuer("https://evil.example").build()), "iss");
        refused(tokens, sign(tokens.claims().issuer(null).build()), "iss");
    }

    @Test
    void a_token_is_valid_only_in_its_period_with_a_minute_of_skew() throws Exception {
        Date soon = Date.from(tokens.clock().instant().plusSeconds(50));
        Date later = Date.from(tokens.clock().instant().plusSeconds(90));
        Date justNow = Date.from(tokens.clock().instant().minusSeconds(50));
        Date before = Date.from(tokens.clock().instant().minusSeconds(90));

        accepted(sign(tokens.claims().notBeforeTime(soon).build()));
        refused(tokens, sign(tokens.claims().notBeforeTime(later).build()), "before use time");
        accepted(sign(tokens.claims().expirationTime(justNow).build()));
        refused(tokens, sign(tokens.claims().expirationTime(before).build()), "Expired");
        refused(tokens, sign(tokens.claims().expirationTime(null).build()), "exp");
    }

    @Test
    void a_token_that_was_accepted_is_refused_once_it_has_expired() throws Exception {
        String token = sign(tokens.claims().build());
        accepted(token);
        accepted(token);

        tokens.clock().advance(Duration.ofMinutes(12));

        refused(tokens, token, "Expired");
    }

    @Test
    void a_token_without_a_tenant_a_role_or_a_name_is_refused() throws Exception {
        refused(tokens, sign(tokens.claims().claim("tenant", null).build()), "names no tenant");
        refused(tokens, sign(tokens.claims().claim("tenant", "nobody").build()), "names no tenant");
        refused(tokens, sign(tokens.claims().claim("tenant", "acme\u0000").build()), "names no tenant");
        refused(
                tokens,
                sign(tokens.claims().claim("tenant", List.of("acme", "default")).build()),
                "names no tenant");
        refused(tokens, sign(tokens.claims().claim("role", null).build()), "has no valid role");
        refused(tokens, sign(tokens.claims().claim("role", "root").build()), "has no valid role");
        refused(tokens, sign(tokens.claims().subject(null).build()), "has no valid subject");
        refused(tokens, sign(tokens.claims().subject("a\u0000b").build()), "has no valid subject");
    }

    @Test
    void malformed_tokens_are_refused() {
        for (String text : List.of("eyJ.a.b", "ey..", "eyJhbGciOiJIUzI1NiJ9.e30.", "ey".repeat(5000) + "..")) {
            tokens.clock().advance(Duration.ofMinutes(5));
            assertThat(tokens.identify(text)).isInstanceOf(Identity.Unknown.class);
        }
    }

    @Test
    void repeated_wrong_tokens_are_delayed_but_valid_ones_are_not() throws Exception {
        String good = sign(tokens.claims().build());
        accepted(good);
        for (int i = 0; i < 10; i++) {
            tokens.identify("eyJ.a.b");
        }

        assertThat(tokens.identify("eyJ.a.b")).isInstanceOf(Identity.SlowedDown.class);
        accepted(good);
    }

    @Test
    void a_short_secret_is_refused_without_quoting_it() {
        assertThatThrownBy(() -> new TokenSettings.Secret("much too short", null))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("The secret for tokens is too short: HS256 needs at least 32 bytes.");
        assertThat(TRUST.toString()).doesNotContain(SECRET);
    }

    private void accepted(String token) {
        assertThat(tokens.identify(token)).isInstanceOf(Identity.Known.class);
    }

    // Each from its own address, so that none is delayed by the others.
    private static void refused(Tokens tokens, String token, String reason) {
        assertThat(tokens.identify(token, "198.51.100." + Math.floorMod(token.hashCode(), 250)))
                .isInstanceOfSatisfying(Identity.Unknown.class, unknown -> assertThat(unknown.reason())
                        .contains(reason));
    }

    private static String sign(JWTClaimsSet claims) throws JOSEException {
        JWSHeader header =
                new JWSHeader.Builder(JWSAlgorithm.HS256).keyID("any").build();
        return FakeIssuer.signed(header, claims, new MACSigner(SECRET));
    }
}
