package dev.toolgate.client.model;

/**
 * A new key. The text is shown only this once, and never by {@link #toString()}.
 *
 * @param key the key itself
 * @param info its metadata
 */
public record MadeKey(String key, KeyInfo info) {
    @Override
    public String toString() {
        return "MadeKey[" + info + "]";
    }
}
