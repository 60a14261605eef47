package dev.toolgate.server.identity;

import com.nimbusds.jwt.JWTClaimsSet;
import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.identity.Identity;
import java.time.Duration;
import java.util.Date;

/** A token authenticator with the tenants default and acme, and valid claims for it. */
record Tokens(ManualClock clock, TokenAuthenticator authenticator) implements AutoCloseable {
    static final String AUDIENCE = "toolgate";

    static Tokens trusting(TokenSettings.Trust trust) {
        return with(new TokenSettings(trust, AUDIENCE, TokenSettings.ClaimNames.DEFAULT, null));
    }

    static Tokens with(TokenSettings settings) {
        ManualClock clock = new ManualClock();
        return new Tokens(clock, new TokenAuthenticator(settings, Tokens::exists, new FailureDelay(clock), clock));
    }

    private static boolean exists(TenantId tenant) {
        return tenant.value().equals("acme") || tenant.value().equals("default");
    }

    /** Valid claims, for tests to change. */
    JWTClaimsSet.Builder claims() {
        return new JWTClaimsSet.Builder()
                .issuer(FakeIssuer.NAME)
                .audience(AUDIENCE)
                .subject("alice")
                .claim("tenant", "acme")
                .claim("role", "agent")
                .expirationTime(Date.from(clock.instant().plus(Duration.ofMinutes(10))));
    }

    Identity identify(String token) {
        return identify(token, "192.0.2.1");
    }

    Identity identify(String token, String address) {
        return authenticator.identify(new Bearer.Token(token), address);
    }

    @Override
    public void close() {
        authenticator.close();
    }
}
