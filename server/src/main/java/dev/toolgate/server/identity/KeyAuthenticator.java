package dev.toolgate.server.identity;

import dev.toolgate.core.identity.Identity;
import dev.toolgate.core.identity.Principal;
import dev.toolgate.core.identity.Role;
import dev.toolgate.store.identity.ApiKey;
import dev.toolgate.store.identity.SecretDigest;
import dev.toolgate.store.identity.VerifiedKeys;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Finds out whose key somebody has. */
public final class KeyAuthenticator {
    private static final String KIND = "key";
    private static final String CHOSEN = "chosen key";
    private static final Identity NOT_KNOWN =
            new Identity.Unknown("This key is not known here; check that it was copied whole.");

    private final VerifiedKeys keys;
    private final @Nullable ChosenKey chosen;
    private final FailureDelay delay;
    private final InstantSource clock;

    /**
     * @param chosen the key of the setting, if there is one
     */
    public KeyAuthenticator(VerifiedKeys keys, @Nullable ChosenKey chosen, FailureDelay delay, InstantSource clock) {
        this.keys = keys;
        this.chosen = chosen;
        this.delay = delay;
        this.clock = clock;
    }

    /** Whose key it is. A key with our checksum is always looked up, a few at a time; any other costs no lookup. */
    Identity identify(Bearer.Key bearer, String remoteAddress) {
        SecretDigest digest = SecretDigest.of(bearer.text());
        return switch (bearer.maker()) {
            case TOOLGATE -> delay.counted(KIND, remoteAddress, lookedUp(digest));
            case SOMEBODY -> ofSetting(digest, remoteAddress);
        };
    }

    /** Nobody has a mistyped key. */
    Identity refuseMistyped(String remoteAddress) {
        return delay.counted(KIND, remoteAddress, NOT_KNOWN);
    }

    private Identity ofSetting(SecretDigest digest, String remoteAddress) {
        return chosen == null
                ? delay.counted(CHOSEN, remoteAddress, NOT_KNOWN)
                : compared(chosen, digest, remoteAddress);
    }

    private Identity compared(ChosenKey setting, SecretDigest digest, String remoteAddress) {
        Supplier<Identity> check = () -> digest.equals(setting.digest()) ? lookedUp(digest) : NOT_KNOWN;
        return switch (setting.strength()) {
            case RANDOM -> delay.counted(CHOSEN, remoteAddress, check.get());
            case GUESSABLE -> delay.unlessWaiting(CHOSEN, remoteAddress, check);
        };
    }

    private Identity lookedUp(SecretDigest digest) {
        return keys.find(digest).map(this::judged).orElse(NOT_KNOWN);
    }

    /** The key itself, of somebody who has shown that it is theirs. */
    Optional<ApiKey> keyOf(Bearer.Key bearer) {
        return keys.find(SecretDigest.of(bearer.text()));
    }

    /** Who the bearer of a key is. */
    static Principal bearerOf(ApiKey key) {
        Role role = Role.of(key.role())
                .orElseThrow(() -> new IllegalStateException("There is no role '" + key.role() + "'."));
        return new Principal(key.tenant(), role, key.principal(), key.agent(), key.agents());
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
