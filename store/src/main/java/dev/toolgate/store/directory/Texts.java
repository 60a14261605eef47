package dev.toolgate.store.directory;

/** The one rule for what people write about agents and tenants. */
final class Texts {
    private static final int LONGEST = 2000;

    private Texts() {}

    static void check(String kind, String text) {
        if (text.length() > LONGEST || text.indexOf('\0') >= 0) {
            throw new IllegalArgumentException(
                    "A " + kind + " must be at most " + LONGEST + " characters, without the character zero.");
        }
    }
}
