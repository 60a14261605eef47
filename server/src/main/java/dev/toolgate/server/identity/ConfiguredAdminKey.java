package dev.toolgate.server.identity;

import dev.toolgate.store.identity.SecretDigest;

/**
 * The admin key that an operator set in {@code TOOLGATE_ADMIN_KEY}. It is the only key without Toolgate's checksum, so
 * all other texts without one are refused without a database query.
 *
 * @param strength whether guessing it has to be slowed down
 */
public record ConfiguredAdminKey(SecretDigest digest, Strength strength) {
    private static final int MIN_RANDOM_LENGTH = 20;
    private static final int MIN_DISTINCT = 10;

    /** How hard a key is to guess. */
    public enum Strength {
        /** It looks like words; after ten wrong guesses from its address it is delayed as well. */
        GUESSABLE,
        /** It looks random, so it is never delayed by guesses. */
        RANDOM
    }

    /** The key of the setting. */
    public static ConfiguredAdminKey of(String text) {
        return new ConfiguredAdminKey(SecretDigest.of(text), strength(text));
    }

    private static Strength strength(String text) {
        boolean random = text.length() >= MIN_RANDOM_LENGTH
                && text.chars().distinct().count() >= MIN_DISTINCT
                && text.indexOf(' ') < 0
                && text.chars().anyMatch(Character::isDigit)
                && text.chars().anyMatch(Character::isLetter);
        return random ? Strength.RANDOM : Strength.GUESSABLE;
    }
}
