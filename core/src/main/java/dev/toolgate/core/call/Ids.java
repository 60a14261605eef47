package dev.toolgate.core.call;

/** Validates identifiers: not blank, at most 100 characters, printable. */
final class Ids {
    private static final int MAX_LENGTH = 100;

    private Ids() {}

    static void check(String kind, String value) {
        if (value.isBlank() || value.codePointCount(0, value.length()) > MAX_LENGTH || hasControlCharacter(value)) {
            throw new IllegalArgumentException(
                    "The " + kind + " id must be 1 to " + MAX_LENGTH + " printable characters.");
        }
    }

    // A loop, because every call checks several ids and a stream for each took 2% of the gate's time.
    private static boolean hasControlCharacter(String value) {
        for (int i = 0; i < value.length(); i++) {
            if (Character.isISOControl(value.charAt(i))) {
                return true;
            }
        }
        return false;
    }
}
