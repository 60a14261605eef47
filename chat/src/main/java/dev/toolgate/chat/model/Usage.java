package dev.toolgate.chat.model;

/** How many tokens went to the model and came back. */
public record Usage(long inputTokens, long outputTokens) {
    /** Nothing was used, or nothing is known. */
    public static final Usage NONE = new Usage(0, 0);

    /** Both together. */
    public Usage plus(Usage other) {
        return new Usage(inputTokens + other.inputTokens, outputTokens + other.outputTokens);
    }

    /** Input and output. */
    public long total() {
        return inputTokens + outputTokens;
    }
}
