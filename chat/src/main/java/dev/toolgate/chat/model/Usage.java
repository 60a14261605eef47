package dev.toolgate.chat.model;

/** Input and output tokens. */
public record Usage(long inputTokens, long outputTokens) {
    /** Nothing used, or unknown. */
    public static final Usage NONE = new Usage(0, 0);

    /** The sum of both. */
    public Usage plus(Usage other) {
        return new Usage(inputTokens + other.inputTokens, outputTokens + other.outputTokens);
    }

    /** Input and output. */
    public long total() {
        return inputTokens + outputTokens;
    }
}
