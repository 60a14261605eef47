package dev.toolgate.store.identity;

/**
 * A key that was just created.
 *
 * @param text the secret itself, which is not stored and cannot be shown again
 */
public record CreatedKey(ApiKey key, String text) {

    /** Does not contain the secret. */
    @Override
    public String toString() {
        return "CreatedKey " + key;
    }
}
