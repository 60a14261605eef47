package dev.toolgate.chat.model;

/** A key for a model provider. It shows itself to nobody but the client that sends it. */
public final class ProviderKey {
    private static final int LONGEST = 2000;

    private final String value;

    private ProviderKey(String value) {
        this.value = value;
    }

    /**
     * The key, without the blanks that come along when it is pasted.
     *
     * @throws IllegalArgumentException if it could not be sent in a header; the message does not repeat it
     */
    public static ProviderKey of(String text) {
        String value = text.strip();
        if (value.isEmpty() || value.length() > LONGEST || value.chars().anyMatch(c -> c <= ' ' || c > '~')) {
            throw new IllegalArgumentException(
                    "The API key must be 1 to " + LONGEST + " printable ASCII characters without blanks.");
        }
        return new ProviderKey(value);
    }

    /** The key itself; for the one header it is sent in. */
    public String reveal() {
        return value;
    }

    @Override
    public String toString() {
        return "[redacted]";
    }
}
