package dev.toolgate.server.identity;

import dev.toolgate.store.identity.ApiKey;
import dev.toolgate.store.identity.SecretDigest;
import dev.toolgate.store.identity.VerifiedKeys;
import java.time.InstantSource;
import java.util.Optional;

/** Finds out whose key somebody has. */
final class KeyAuthenticator {
    static final String NOT_KNOWN = "This key is not known here; check that it was copied whole.";

    private final VerifiedKeys keys;
    private final InstantSource clock;

    KeyAuthenticator(VerifiedKeys keys, InstantSource clock) {
        this.keys = keys;
        this.clock = clock;
    }

    /** Whose key it is, if that is in memory and the key is good; costs the database nothing. */
    Optional<Principal> remembered(Bearer.Key bearer) {
        return keys.inMemory(SecretDigest.of(bearer.text()))
                .filter(key -> key.state(clock.instant()) == ApiKey.State.USABLE)
                .map(this::bearerOf);
    }

    /** Whose key it is. */
    Identity identify(Bearer.Key bearer) {
        return keys.find(SecretDigest.of(bearer.text())).map(this::judged).orElse(new Identity.Unknown(NOT_KNOWN));
    }

    /** Somebody who has shown a key may hear what became of it. */
    private Identity judged(ApiKey key) {
        return switch (key.state(clock.instant())) {
            case USABLE -> new Identity.Known(bearerOf(key));
            case EXPIRED -> new Identity.Unknown("This key expired at " + key.expiresAt() + "; ask for a new one.");
            case REVOKED -> new Identity.Unknown("This key has been revoked; ask for a new one.");
        };
    }

    private Principal bearerOf(ApiKey key) {
        keys.used(key);
        return Principals.of(key);
    }
}
