package dev.toolgate.store.directory;

/** Checks names and descriptions of agents and tenants. */
final class TextLimits {
    private static final int MAX_LENGTH = 2000;

    private TextLimits() {}

    static void check(String kind, String text) {
        if (text.length() > MAX_LENGTH || text.indexOf('\0') >= 0) {
            throw new IllegalArgumentException(
                    "A " + kind + " must have at most " + MAX_LENGTH + " characters and no NUL character.");
        }
    }
}
