package dev.toolgate.server.wiring;

import dev.toolgate.core.identity.Authenticator;
import dev.toolgate.server.config.AuthSettings;
import dev.toolgate.server.identity.Authenticators;
import dev.toolgate.server.identity.ChosenKey;
import dev.toolgate.server.identity.ConsoleSessions;
import dev.toolgate.server.identity.FailureDelay;
import dev.toolgate.server.identity.KeyAuthenticator;
import dev.toolgate.server.identity.SessionCookie;
import dev.toolgate.server.identity.TokenAuthenticator;
import dev.toolgate.server.identity.TokenSettings;
import dev.toolgate.store.Database;
import dev.toolgate.store.directory.Tenants;
import dev.toolgate.store.identity.SessionTable;
import dev.toolgate.store.identity.VerifiedKeys;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/** The ways to show who one is, wired. */
public record IdentityParts(
        Authenticator authenticator,
        VerifiedKeys keys,
        ConsoleSessions sessions,
        @Nullable TokenAuthenticator tokens) implements AutoCloseable {

    public static IdentityParts of(AuthSettings settings, Database database, InstantSource clock) {
        TokenSettings accepted = tokenSettings(settings.jwt());
        FailureDelay delay = new FailureDelay(clock);
        VerifiedKeys keys = new VerifiedKeys(database.connections());
        KeyAuthenticator byKey = new KeyAuthenticator(keys, chosen(settings), delay, clock);
        SessionCookie cookie = new SessionCookie(
                settings.console().secureCookie()
                        ? SessionCookie.Secure.ALWAYS
                        : SessionCookie.Secure.WHEN_SENT_BY_TLS);
        ConsoleSessions sessions = new ConsoleSessions(
                new SessionTable(database.jdbi()),
                byKey,
                cookie,
                new ConsoleSessions.Lifetime(
                        settings.console().idle(), settings.console().absolute()),
                delay,
                clock);
        TokenAuthenticator tokens = accepted == null
                ? null
                : new TokenAuthenticator(accepted, new Tenants(database.jdbi())::exists, delay, clock);
        return new IdentityParts(Authenticators.chain(byKey, tokens, sessions), keys, sessions, tokens);
    }

    private static @Nullable ChosenKey chosen(AuthSettings settings) {
        return settings.adminKey() == null
                ? null
                : ChosenKey.of(settings.adminKey().value());
    }

    private static @Nullable TokenSettings tokenSettings(AuthSettings.Jwt jwt) {
        TokenSettings.Trust trust = trust(jwt);
        if (trust == null) {
            return null;
        }
        return new TokenSettings(
                trust,
                jwt.audience(),
                new TokenSettings.ClaimNames(jwt.tenantClaim(), jwt.roleClaim(), jwt.agentClaim()),
                null);
    }

    private static TokenSettings.@Nullable Trust trust(AuthSettings.Jwt jwt) {
        if (jwt.secret() != null && jwt.jwksUrl() != null) {
            throw new IllegalArgumentException("auth.jwt: give either secret or jwks_url, not both");
        }
        if (jwt.secret() != null) {
            return new TokenSettings.Secret(jwt.secret().value(), jwt.issuer());
        }
        if (jwt.jwksUrl() == null) {
            return null;
        }
        if (jwt.issuer() == null) {
            throw new IllegalArgumentException("auth.jwt.issuer: must be set together with jwks_url");
        }
        return new TokenSettings.Issuer(jwt.issuer(), jwt.jwksUrl());
    }

    @Override
    public void close() {
        if (tokens != null) {
            tokens.close();
        }
        keys.close();
    }
}
