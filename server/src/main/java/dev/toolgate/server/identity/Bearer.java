package dev.toolgate.server.identity;

import dev.toolgate.store.identity.SecretText;
import java.util.Locale;
import java.util.Optional;

/** What stands after {@code Bearer} in the Authorization header, by its form. */
sealed interface Bearer {
    int LONGEST = 16_384;

    /** Where a key comes from. */
    enum Maker {
        /** Us, with more randomness than anybody can guess. */
        TOOLGATE,
        /** A person, for the setting; it can be anything. */
        SOMEBODY
    }

    /** A key, or what could be one. */
    record Key(String text, Maker maker) implements Bearer {
        @Override
        public String toString() {
            return "Key";
        }
    }

    /** A key with a letter that is not as it was made. */
    record MistypedKey() implements Bearer {}

    /** A JSON Web Token. */
    record Token(String text) implements Bearer {
        @Override
        public String toString() {
            return "Token";
        }
    }

    /** The bearer in a header; empty if the header names another scheme. */
    static Optional<Bearer> in(String authorization) {
        String header = authorization.strip();
        if (header.length() > LONGEST || !header.toLowerCase(Locale.ROOT).startsWith("bearer ")) {
            return Optional.empty();
        }
        return Optional.of(of(header.substring("bearer ".length()).strip()));
    }

    /** A text by its form. */
    static Bearer of(String text) {
        if (isToken(text)) {
            return new Token(text);
        }
        if (!SecretText.API_KEY.hasForm(text)) {
            return new Key(text, Maker.SOMEBODY);
        }
        return SecretText.API_KEY.isGenuine(text) ? new Key(text, Maker.TOOLGATE) : new MistypedKey();
    }

    // The header of every token is a JSON object, which in base64url begins like this.
    private static boolean isToken(String text) {
        return text.startsWith("ey") && text.chars().filter(c -> c == '.').count() >= 2;
    }
}
