package dev.toolgate.server.identity;

import dev.toolgate.core.identity.Credentials;
import dev.toolgate.core.identity.Identity;
import dev.toolgate.server.identity.SessionCookie.Channel;
import dev.toolgate.store.identity.ApiKey;
import dev.toolgate.store.identity.SecretDigest;
import dev.toolgate.store.identity.SecretText;
import dev.toolgate.store.identity.SessionTable;
import dev.toolgate.store.identity.StoredSession;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * People logged in to the console with a key. A session is always a new secret, never one that a
 * browser brought; it ends with its key, when it was not used for a time, and after a longer time in any case.
 */
public final class ConsoleSessions {
    private static final Duration NOTED_EVERY = Duration.ofMinutes(1);
    private static final int NOTES_WHILE_IDLE = 10;
    private static final Identity NOT_LOGGED_IN =
            new Identity.Unknown("Nobody is logged in here any more; log in again.");
    private static final Identity NO_CSRF_TOKEN = new Identity.Unknown(
            "A change needs the token of the session in the header X-CSRF-Token; load the page again.");
    private static final Identity ONLY_KEYS = new Identity.Unknown("Log in with a key; tokens are for programs.");

    private final SessionTable table;
    private final KeyAuthenticator keys;
    private final SessionCookie cookie;
    private final Lifetime lifetime;
    private final Duration notedEvery;
    private final FailureDelay delay;
    private final InstantSource clock;

    /**
     * How long somebody stays logged in.
     *
     * @param idle without being seen
     * @param absolute in any case
     */
    public record Lifetime(Duration idle, Duration absolute) {}

    public ConsoleSessions(
            SessionTable table,
            KeyAuthenticator keys,
            SessionCookie cookie,
            Lifetime lifetime,
            FailureDelay delay,
            InstantSource clock) {
        this.table = table;
        this.keys = keys;
        this.cookie = cookie;
        this.lifetime = lifetime;
        // Often enough that somebody who is there all the time is not taken for gone.
        Duration share = lifetime.idle().dividedBy(NOTES_WHILE_IDLE);
        this.notedEvery = share.compareTo(NOTED_EVERY) < 0 ? share : NOTED_EVERY;
        this.delay = delay;
        this.clock = clock;
    }

    /**
     * Logs somebody in.
     *
     * @param key the key they have
     * @param former the session their browser brought, if any, which ends
     */
    public LogIn logIn(String key, @Nullable String former, Channel channel, String remoteAddress) {
        return switch (Bearer.of(key.strip())) {
            case Bearer.Token token -> new LogIn.Refused(ONLY_KEYS);
            case Bearer.MistypedKey mistyped -> new LogIn.Refused(keys.refuseMistyped(remoteAddress));
            case Bearer.Key bearer ->
                switch (keys.identify(bearer, remoteAddress)) {
                    case Identity.Known known -> open(bearer, former, channel);
                    case Identity.Unknown unknown -> new LogIn.Refused(unknown);
                    case Identity.SlowedDown slowed -> new LogIn.Refused(slowed);
                };
        };
    }

    /** Who is logged in with this cookie, for a page that was loaded again. */
    public Optional<OpenSession> current(String session, String remoteAddress) {
        return stored(session, Credentials.Kind.READS, remoteAddress) instanceof Identity.Known
                ? table.find(SecretDigest.of(session)).map(stored -> opened(session, stored))
                : Optional.empty();
    }

    /**
     * Logs somebody out.
     *
     * @return the header {@code Set-Cookie} for their browser
     */
    public String logOut(@Nullable String session, Channel channel) {
        end(session);
        return cookie.forgetting(channel);
    }

    /** Whose session this is; for a change its page has to show that it is ours. */
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

    private LogIn open(Bearer.Key bearer, @Nullable String former, Channel channel) {
        Optional<ApiKey> key = keys.keyOf(bearer);
        if (key.isEmpty()) {
            return new LogIn.Refused(NOT_LOGGED_IN);
        }
        end(former);
        Instant now = clock.instant().truncatedTo(ChronoUnit.MILLIS); // as the database keeps it
        table.removeUnseenSince(now.minus(lifetime.idle()));
        String session = SecretText.CONSOLE_SESSION.make();
        table.add(SecretDigest.of(session), key.get(), now);
        return new LogIn.Done(
                opened(session, new StoredSession(key.get(), now, now)),
                cookie.holding(session, lifetime.absolute(), channel));
    }

    private void end(@Nullable String session) {
        if (session != null && isGenuine(session)) {
            table.remove(SecretDigest.of(session));
        }
    }

    private Identity stored(String session, Credentials.Kind kind, String remoteAddress) {
        if (!isGenuine(session)) {
            return NOT_LOGGED_IN;
        }
        return delay.counted("session", remoteAddress, judge(SecretDigest.of(session), kind));
    }

    private Identity judge(SecretDigest digest, Credentials.Kind kind) {
        Optional<StoredSession> found = table.find(digest);
        Instant now = clock.instant();
        if (found.isEmpty() || !isOpen(found.get(), now)) {
            return NOT_LOGGED_IN;
        }
        if (kind != Credentials.Kind.LISTENS
                && found.get().lastSeenAt().plus(notedEvery).isBefore(now)) {
            table.seen(digest, now);
        }
        return new Identity.Known(KeyAuthenticator.bearerOf(found.get().key()));
    }

    private boolean isOpen(StoredSession session, Instant now) {
        return session.key().state(now) == ApiKey.State.USABLE
                && now.isBefore(session.lastSeenAt().plus(lifetime.idle()))
                && now.isBefore(session.createdAt().plus(lifetime.absolute()));
    }

    private OpenSession opened(String session, StoredSession stored) {
        return new OpenSession(
                KeyAuthenticator.bearerOf(stored.key()),
                CsrfToken.of(session),
                stored.createdAt().plus(lifetime.absolute()));
    }

    private static boolean isGenuine(String session) {
        return SecretText.CONSOLE_SESSION.isGenuine(session);
    }
}
