package dev.toolgate.server.identity;

import dev.toolgate.store.identity.SecretDigest;

/**
 * The admin key that an operator chose in {@code TOOLGATE_ADMIN_KEY}. It is the only key without our checksum, so
 * every other text without one is refused without asking the database.
 *
 * @param strength whether guessing it has to be slowed down
 */
public record ChosenKey(SecretDigest digest, Strength strength) {
    private static final int RANDOM_LENGTH = 20;
    private static final int RANDOM_VARIETY = 10;

    /** How hard a key is to guess. */
    public enum Strength {
        /** It looks like words; after ten wrong guesses from its address it has to wait as well. */
        GUESSABLE,
        /** It looks random, so that nobody has to wait for those who guess. */
        RANDOM
    }

    /** A key of the setting. */
    public static ChosenKey of(String text) {
        return new ChosenKey(SecretDigest.of(text), strength(text));
    }

    private static Strength strength(String text) {
        boolean random = text.length() >= RANDOM_LENGTH
                && text.chars().distinct().count() >= RANDOM_VARIETY
                && text.indexOf(' ') < 0
                && text.chars().anyMatch(Character::isDigit)
                && text.chars().anyMatch(Character::isLetter);
        return random ? Strength.RANDOM : Strength.GUESSABLE;
    }
}
