package dev.toolgate.server.identity;

import dev.toolgate.core.identity.Identity;
import dev.toolgate.core.identity.Principal;
import dev.toolgate.core.identity.Role;
import dev.toolgate.store.identity.ApiKey;
import dev.toolgate.store.identity.KeyCache;
import dev.toolgate.store.identity.SecretDigest;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Authenticates keys. */
public final class KeyAuthenticator {
    private static final String KIND = "key";
    private static final String CONFIGURED = "chosen key";
    private static final Identity NOT_KNOWN =
            new Identity.Unknown("This key is unknown; check that it was copied completely.");

    private final KeyCache keys;
    private final @Nullable ConfiguredAdminKey configuredKey;
    private final FailureDelay delay;
    private final InstantSource clock;

    /**
     * @param configuredKey the admin key of the setting, if set
     */
    public KeyAuthenticator(
            KeyCache keys, @Nullable ConfiguredAdminKey configuredKey, FailureDelay delay, InstantSource clock) {
        this.keys = keys;
        this.configuredKey = configuredKey;
        this.delay = delay;
        this.clock = clock;
    }

    /**
     * Identifies the bearer of a key. Only keys with a valid checksum are looked up in the database, a few at a time.
     */
    Identity identify(Bearer.Key bearer, String remoteAddress) {
        SecretDigest digest = SecretDigest.of(bearer.text());
        return switch (bearer.origin()) {
            case GENERATED -> delay.counted(KIND, remoteAddress, lookedUp(digest));
            case OPERATOR -> ofSetting(digest, remoteAddress);
        };
    }

    /** Refuses a mistyped key and counts the failure. */
    Identity refuseMistyped(String remoteAddress) {
        return delay.counted(KIND, remoteAddress, NOT_KNOWN);
    }

    private Identity ofSetting(SecretDigest digest, String remoteAddress) {
        return configuredKey == null
                ? delay.counted(CONFIGURED, remoteAddress, NOT_KNOWN)
                : compared(configuredKey, digest, remoteAddress);
    }

    private Identity compared(ConfiguredAdminKey setting, SecretDigest digest, String remoteAddress) {
        Supplier<Identity> check = () -> digest.equals(setting.digest()) ? lookedUp(digest) : NOT_KNOWN;
        return switch (setting.strength()) {
            case RANDOM -> delay.counted(CONFIGURED, remoteAddress, check.get());
            case GUESSABLE -> delay.unlessWaiting(CONFIGURED, remoteAddress, check);
        };
    }

    private Identity lookedUp(SecretDigest digest) {
        return keys.find(digest).map(this::judged).orElse(NOT_KNOWN);
    }

    /** The stored key of an authenticated bearer. */
    Optional<ApiKey> keyOf(Bearer.Key bearer) {
        return keys.find(SecretDigest.of(bearer.text()));
    }

    /** The principal of a key. */
    static Principal bearerOf(ApiKey key) {
        Role role = Role.of(key.role())
                .orElseThrow(
                        () -> new IllegalStateException("The stored key has an unknown role '" + key.role() + "'."));
        return new Principal(key.tenant(), role, key.principal(), key.agent(), key.agents());
    }

    // The bearer of a key may learn that it expired or was revoked.
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
