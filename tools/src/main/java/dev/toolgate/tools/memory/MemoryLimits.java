package dev.toolgate.tools.memory;

/**
 * How much an agent may remember.
 *
 * @param valueBytes the size of one value, as UTF-8
 * @param items how many items one agent may have
 */
public record MemoryLimits(int valueBytes, int items) {
    /** Larger values would have more words than the database takes for one item. */
    public static final int MOST_VALUE_BYTES = 256 * 1024;

    public MemoryLimits {
        if (valueBytes < 1 || valueBytes > MOST_VALUE_BYTES || items < 1) {
            throw new IllegalArgumentException("A memory needs room for one item, and values of at most 256 KB.");
        }
    }

    /** Room for ten thousand pages of text. */
    public static MemoryLimits standard() {
        return new MemoryLimits(64 * 1024, 10_000);
    }
}
