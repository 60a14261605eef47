package dev.toolgate.server.identity;

import dev.toolgate.core.identity.Credentials;
import dev.toolgate.core.identity.Identity;
import dev.toolgate.core.identity.Principal;
import dev.toolgate.server.identity.ConsoleCookie.Channel;
import dev.toolgate.server.secret.TokenSealer;
import dev.toolgate.store.identity.ApiKey;
import dev.toolgate.store.identity.LoginOwner;
import dev.toolgate.store.identity.LoginTable;
import dev.toolgate.store.identity.SecretDigest;
import dev.toolgate.store.identity.SecretText;
import dev.toolgate.store.identity.StoredLogin;
import dev.toolgate.store.identity.StoredPerson;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Log-ins to the console, with a key or of a person through a provider. A log-in always gets a new secret, never one
 * that a browser sent; it ends with its key or with the role of its person, after an idle time, and after a maximum
 * time.
 */
public final class ConsoleLogins {
    private static final Duration LAST_SEEN_INTERVAL = Duration.ofMinutes(1);
    private static final int UPDATES_PER_IDLE_PERIOD = 10;
    private static final List<String> TOKEN_CONTEXT = List.of("console log-in");
    private static final Identity NOT_LOGGED_IN = new Identity.Unknown("The log-in has ended; log in again.");
    private static final Identity NO_CSRF_TOKEN = new Identity.Unknown(
            "A change needs the CSRF token of the log-in in the header X-CSRF-Token; reload the page.");
    private static final Identity ONLY_KEYS = new Identity.Unknown("Log in with a key; tokens are for programs.");

    private final LoginTable table;
    private final KeyAuthenticator keys;
    private final GroupRoles roles;
    private final ConsoleCookie cookie;
    private final Lifetime lifetime;
    private final Duration lastSeenInterval;
    private final FailureDelay delay;
    private final InstantSource clock;

    /**
     * How long a log-in lasts.
     *
     * @param idle without use
     * @param absolute in any case
     */
    public record Lifetime(Duration idle, Duration absolute) {}

    /**
     * @param roles of people, by their groups
     */
    public ConsoleLogins(
            LoginTable table,
            KeyAuthenticator keys,
            GroupRoles roles,
            ConsoleCookie cookie,
            Lifetime lifetime,
            FailureDelay delay,
            InstantSource clock) {
        this.table = table;
        this.keys = keys;
        this.roles = roles;
        this.cookie = cookie;
        this.lifetime = lifetime;
        // Often enough that a log-in in use never appears idle.
        Duration share = lifetime.idle().dividedBy(UPDATES_PER_IDLE_PERIOD);
        this.lastSeenInterval = share.compareTo(LAST_SEEN_INTERVAL) < 0 ? share : LAST_SEEN_INTERVAL;
        this.delay = delay;
        this.clock = clock;
    }

    /**
     * Logs in with a key.
     *
     * @param key the key
     * @param former the log-in the browser sent, if any, which ends
     */
    public LoginResult logIn(String key, @Nullable String former, Channel channel, String remoteAddress) {
        return switch (Bearer.of(key.strip())) {
            case Bearer.Token token -> new LoginResult.Refused(ONLY_KEYS);
            case Bearer.MistypedKey mistyped -> new LoginResult.Refused(keys.refuseMistyped(remoteAddress));
            case Bearer.Key bearer ->
                switch (keys.identify(bearer, remoteAddress)) {
                    case Identity.Known known -> open(bearer, former, channel);
                    case Identity.Unknown unknown -> new LoginResult.Refused(unknown);
                    case Identity.SlowedDown slowed -> new LoginResult.Refused(slowed);
                };
        };
    }

    /**
     * Logs a person in whom the provider has identified.
     *
     * @param groups the person's groups that have a role
     * @param idToken stored to sign out at the provider, encrypted with a secret that only the browser has
     * @param former the log-in the browser sent, if any, which ends
     */
    LoginResult logIn(
            StoredPerson person, Set<String> groups, String idToken, @Nullable String former, Channel channel) {
        LoginOwner.OfPerson owner = new LoginOwner.OfPerson(person, person.tenant(), groups);
        Principal principal = roles.principal(owner).orElse(null);
        if (principal == null) {
            return new LoginResult.Refused(NOT_LOGGED_IN);
        }
        return opened(
                owner,
                principal,
                former,
                channel,
                (session, now) -> table.add(
                        SecretDigest.of(session),
                        person,
                        groups,
                        new TokenSealer(session).seal(idToken, TOKEN_CONTEXT),
                        now));
    }

    /** The identity token of the person of this cookie; empty for a log-in with a key. */
    Optional<String> idToken(String session) {
        return hasValidChecksum(session)
                ? table.token(SecretDigest.of(session))
                        .flatMap(kept -> new TokenSealer(session).open(kept, TOKEN_CONTEXT))
                : Optional.empty();
    }

    /** The log-in of this cookie, for a page that was reloaded. */
    public Optional<ConsoleLogin> current(String session, String remoteAddress) {
        if (!(stored(session, Credentials.Kind.READS, remoteAddress) instanceof Identity.Known known)) {
            return Optional.empty();
        }
        return table.find(SecretDigest.of(session)).map(stored -> shown(session, known.principal(), stored));
    }

    /** The principal of the cookie with this digest, if its log-in is still open. */
    public Optional<Principal> principal(SecretDigest session) {
        return table.find(session).flatMap(stored -> principal(stored, clock.instant()));
    }

    /**
     * Logs out.
     *
     * @return the {@code Set-Cookie} header for the browser
     */
    public String logOut(@Nullable String session, Channel channel) {
        end(session);
        return cookie.forgetting(channel);
    }

    /** Identifies the log-in of a cookie; a change also needs the CSRF token. */
    Identity identify(Credentials credentials) {
        String session = String.valueOf(credentials.cookie());
        Identity identity = stored(session, credentials.kind(), credentials.remoteAddress());
        if (!(identity instanceof Identity.Known)) {
            return identity;
        }
        return switch (credentials.kind()) {
            case READS, LISTENS -> identity;
            case CHANGES -> CsrfToken.matches(session, credentials.csrfToken()) ? identity : NO_CSRF_TOKEN;
        };
    }

    private LoginResult open(Bearer.Key bearer, @Nullable String former, Channel channel) {
        Optional<ApiKey> key = keys.keyOf(bearer);
        if (key.isEmpty()) {
            return new LoginResult.Refused(NOT_LOGGED_IN);
        }
        return opened(
                new LoginOwner.OfKey(key.get()),
                KeyAuthenticator.bearerOf(key.get()),
                former,
                channel,
                (session, now) -> table.add(SecretDigest.of(session), key.get(), now));
    }

    /** Stores a new log-in, which replaces the former one of the browser. */
    private LoginResult opened(
            LoginOwner owner,
            Principal principal,
            @Nullable String former,
            Channel channel,
            BiConsumer<String, Instant> keep) {
        end(former);
        Instant now = clock.instant().truncatedTo(ChronoUnit.MILLIS); // the precision of the database
        table.removeUnseenSince(now.minus(lifetime.idle()));
        String session = SecretText.CONSOLE_LOGIN.generate();
        keep.accept(session, now);
        return new LoginResult.Done(
                shown(session, principal, new StoredLogin(owner, now, now)),
                cookie.holding(session, lifetime.absolute(), channel));
    }

    private void end(@Nullable String session) {
        if (session != null && hasValidChecksum(session)) {
            table.remove(SecretDigest.of(session));
        }
    }

    private Identity stored(String session, Credentials.Kind kind, String remoteAddress) {
        if (!hasValidChecksum(session)) {
            return NOT_LOGGED_IN;
        }
        return delay.counted("session", remoteAddress, judge(SecretDigest.of(session), kind));
    }

    private Identity judge(SecretDigest digest, Credentials.Kind kind) {
        Instant now = clock.instant();
        StoredLogin found = table.find(digest).orElse(null);
        Principal principal = found == null ? null : principal(found, now).orElse(null);
        if (found == null || principal == null) {
            return NOT_LOGGED_IN;
        }
        if (kind != Credentials.Kind.LISTENS
                && found.lastSeenAt().plus(lastSeenInterval).isBefore(now)) {
            table.seen(digest, now);
        }
        return new Identity.Known(principal);
    }

    /** The principal of a log-in, if it is still open. */
    private Optional<Principal> principal(StoredLogin session, Instant now) {
        boolean inTime = now.isBefore(session.lastSeenAt().plus(lifetime.idle()))
                && now.isBefore(session.createdAt().plus(lifetime.absolute()));
        if (!inTime) {
            return Optional.empty();
        }
        return switch (session.owner()) {
            case LoginOwner.OfKey(ApiKey key) ->
                key.state(now) == ApiKey.State.USABLE ? Optional.of(KeyAuthenticator.bearerOf(key)) : Optional.empty();
            case LoginOwner.OfPerson person -> roles.principal(person);
        };
    }

    private ConsoleLogin shown(String session, Principal principal, StoredLogin stored) {
        return new ConsoleLogin(
                principal,
                stored.owner() instanceof LoginOwner.OfPerson of ? of.person().displayName() : null,
                CsrfToken.of(session),
                stored.createdAt().plus(lifetime.absolute()));
    }

    private static boolean hasValidChecksum(String session) {
        return SecretText.CONSOLE_LOGIN.hasValidChecksum(session);
    }
}
