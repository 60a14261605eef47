package dev.toolgate.core.call;

import java.util.Locale;
import java.util.Optional;

/** How much an agent may do without approval, from strictest to most permissive. */
public enum TrustLevel {
    /** Every tool needs approval. */
    SUPERVISED,
    /** Dangerous tools need approval. */
    GUIDED,
    /** Trust requires no approval. */
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
