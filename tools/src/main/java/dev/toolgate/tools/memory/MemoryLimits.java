package dev.toolgate.tools.memory;

/**
 * Limits of an agent's memory.
 *
 * @param valueBytes the maximum size of one value in UTF-8
 * @param items the maximum number of items of one agent
 */
public record MemoryLimits(int valueBytes, int items) {
    /** Larger values could exceed the database's limit for indexed words. */
    public static final int MAX_VALUE_BYTES = 256 * 1024;

    public MemoryLimits {
        if (valueBytes < 1 || valueBytes > MAX_VALUE_BYTES || items < 1) {
            throw new IllegalArgumentException(
                    "The memory limits must allow at least one item, and values of 1" + " byte to 256 KB.");
        }
    }

    /** The default limits. */
    public static MemoryLimits standard() {
        return new MemoryLimits(64 * 1024, 10_000);
    }
}
