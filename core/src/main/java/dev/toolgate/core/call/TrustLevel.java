package dev.toolgate.core.call;

import java.util.Locale;
import java.util.Optional;

/** How far whoever talks with an agent lets it go by itself; from the strictest to the freest. */
public enum TrustLevel {
    /** A person is asked about every tool. */
    SUPERVISED,
    /** A person is asked about tools that are dangerous. */
    GUIDED,
    /** Nobody is asked on account of trust. */
    AUTONOMOUS;

    /** The stricter of two levels. */
    public TrustLevel and(TrustLevel other) {
        return compareTo(other) <= 0 ? this : other;
    }

    /** The name as it is stored and sent, for example {@code guided}. */
    public String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The level with this wire name. */
    public static Optional<TrustLevel> of(String wireName) {
        for (TrustLevel level : values()) {
            if (level.wireName().equals(wireName)) {
                return Optional.of(level);
            }
        }
        return Optional.empty();
    }
}
