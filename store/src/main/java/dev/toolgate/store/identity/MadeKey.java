package dev.toolgate.store.identity;

/**
 * A key that was just made.
 *
 * @param text the key itself; this is the only time it can be seen
 */
public record MadeKey(ApiKey key, String text) {

    /** Says nothing of the key itself. */
    @Override
    public String toString() {
        return "MadeKey " + key;
    }
}
