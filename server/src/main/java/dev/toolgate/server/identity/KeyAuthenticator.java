package dev.toolgate.server.identity;

import dev.toolgate.store.identity.ApiKey;
import dev.toolgate.store.identity.SecretDigest;
import dev.toolgate.store.identity.VerifiedKeys;
import java.time.InstantSource;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Finds out whose key somebody has. */
public final class KeyAuthenticator {
    private static final String KIND = "key";
    private static final int PREFIX_LENGTH = 11;
    private static final Identity NOT_KNOWN =
            new Identity.Unknown("This key is not known here; check that it was copied whole.");

    private final VerifiedKeys keys;
    private final FailureDelay delay;
    private final InstantSource clock;

    public KeyAuthenticator(VerifiedKeys keys, FailureDelay delay, InstantSource clock) {
        this.keys = keys;
        this.delay = delay;
        this.clock = clock;
    }

    /** Whose key it is. Whoever has a key that cannot be guessed need not wait for those who guess beside them. */
    Identity identify(Bearer.Key bearer, String remoteAddress) {
        SecretDigest digest = SecretDigest.of(bearer.text());
        boolean genuine = bearer.maker() == Bearer.Maker.TOOLGATE;
        if (genuine) {
            Optional<ApiKey> held = keys.inMemory(digest);
            if (held.isPresent() && held.get().state(clock.instant()) == ApiKey.State.USABLE) {
                return known(held.get());
            }
        }
        @Nullable String start = genuine ? bearer.text().substring(0, PREFIX_LENGTH) : null;
        return delay.slowed(KIND, remoteAddress, start, () -> keys.find(digest)
                .map(this::judged)
                .orElse(NOT_KNOWN));
    }

    /** Nobody has a mistyped key. */
    Identity refuseMistyped(String remoteAddress) {
        return delay.slowed(KIND, remoteAddress, null, () -> NOT_KNOWN);
    }

    /** The key itself, of somebody who has shown that it is theirs. */
    Optional<ApiKey> keyOf(Bearer.Key bearer) {
        return keys.find(SecretDigest.of(bearer.text()));
    }

    /** Who the bearer of a key is. */
    static Principal bearerOf(ApiKey key) {
        Role role = Role.of(key.role())
                .orElseThrow(() -> new IllegalStateException("There is no role '" + key.role() + "'."));
        return new Principal(key.tenant(), role, key.shortName(), key.agent());
    }

    // Somebody who has shown a key may hear what became of it.
    private Identity judged(ApiKey key) {
        return switch (key.state(clock.instant())) {
            case USABLE -> known(key);
            case EXPIRED -> new Identity.Unknown("This key expired at " + key.expiresAt() + "; ask for a new one.");
            case REVOKED -> new Identity.Unknown("This key has been revoked; ask for a new one.");
        };
    }

    private Identity known(ApiKey key) {
        keys.used(key);
        return new Identity.Known(bearerOf(key));
    }
}
