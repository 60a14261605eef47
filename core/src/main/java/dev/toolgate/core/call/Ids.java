package dev.toolgate.core.call;

/** The one rule for identifiers: not blank, at most 100 characters, printable. */
final class Ids {
    private static final int LONGEST = 100;

    private Ids() {}

    static void check(String kind, String value) {
        if (value.isBlank() || value.codePointCount(0, value.length()) > LONGEST || value.chars().anyMatch(Character::isISOControl)) {
            throw new IllegalArgumentException(
                    "The " + kind + " id must be 1 to " + LONGEST + " printable characters.");
        }
    }
}
