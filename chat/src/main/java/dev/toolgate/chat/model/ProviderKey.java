package dev.toolgate.chat.model;

/** An API key for a model provider, which never appears in {@code toString}. */
public final class ProviderKey {
    private static final int MAX_LENGTH = 2000;

    private final String value;

    private ProviderKey(String value) {
        this.value = value;
    }

    /**
     * A key, stripped of surrounding blanks from pasting.
     *
     * @throws IllegalArgumentException if it cannot be sent in a header; the message does not contain it
     */
    public static ProviderKey of(String text) {
        String value = text.strip();
        if (value.isEmpty() || value.length() > MAX_LENGTH || value.chars().anyMatch(c -> c <= ' ' || c > '~')) {
            throw new IllegalArgumentException(
                    "The API key must be 1 to " + MAX_LENGTH + " printable ASCII characters without blanks.");
        }
        return new ProviderKey(value);
    }

    /** The key itself, for the header it is sent in. */
    public String reveal() {
        return value;
    }

    @Override
    public String toString() {
        return "[redacted]";
    }
}
