package dev.toolgate.server.wiring;

import dev.toolgate.core.identity.Authenticator;
import dev.toolgate.server.config.AuthSettings;
import dev.toolgate.server.config.PublicAddress;
import dev.toolgate.server.identity.Authenticators;
import dev.toolgate.server.identity.ConfiguredAdminKey;
import dev.toolgate.server.identity.ConsoleCookie;
import dev.toolgate.server.identity.ConsoleLogins;
import dev.toolgate.server.identity.FailureDelay;
import dev.toolgate.server.identity.GroupRoles;
import dev.toolgate.server.identity.KeyAuthenticator;
import dev.toolgate.server.identity.SingleSignOn;
import dev.toolgate.server.identity.TokenAuthenticator;
import dev.toolgate.server.identity.TokenSettings;
import dev.toolgate.store.Database;
import dev.toolgate.store.directory.Tenants;
import dev.toolgate.store.identity.KeyCache;
import dev.toolgate.store.identity.LoginTable;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/** Wires authentication. */
public record IdentityParts(
        Authenticator authenticator,
        KeyCache keys,
        ConsoleLogins sessions,
        @Nullable TokenAuthenticator tokens,
        @Nullable SingleSignOn signOn)
        implements AutoCloseable {

    /**
     * @param address the public address of this server
     */
    public static IdentityParts of(
            AuthSettings settings, Database database, PublicAddress address, InstantSource clock) {
        TokenSettings accepted = tokenSettings(settings.jwt());
        FailureDelay delay = new FailureDelay(clock);
        KeyCache keys = new KeyCache(database.connections());
        KeyAuthenticator byKey = new KeyAuthenticator(keys, chosen(settings), delay, clock);
        ConsoleCookie cookie = new ConsoleCookie(
                settings.console().secureCookie()
                        ? ConsoleCookie.Secure.ALWAYS
                        : ConsoleCookie.Secure.WHEN_SENT_BY_TLS);
        GroupRoles roles = SignOnParts.roles(settings.oidc());
        ConsoleLogins sessions = new ConsoleLogins(
                new LoginTable(database.jdbi()),
                byKey,
                roles,
                cookie,
                new ConsoleLogins.Lifetime(
                        settings.console().idle(), settings.console().absolute()),
                delay,
                clock);
        TokenAuthenticator tokens = accepted == null
                ? null
                : new TokenAuthenticator(accepted, new Tenants(database.jdbi())::exists, delay, clock);
        return new IdentityParts(
                Authenticators.chain(byKey, tokens, sessions),
                keys,
                sessions,
                tokens,
                SignOnParts.of(settings.oidc(), roles, database, sessions, address, delay, clock));
    }

    private static @Nullable ConfiguredAdminKey chosen(AuthSettings settings) {
        return settings.adminKey() == null
                ? null
                : ConfiguredAdminKey.of(settings.adminKey().value());
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
        if (signOn != null) {
            signOn.close();
        }
        keys.close();
    }
}
