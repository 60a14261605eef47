package dev.toolgate.server.config;

/** How much agents may remember. */
public record MemorySection(
        @Setting(value = "The size of one value.", initial = "64KB", least = "1B", most = "256KB")
        ByteSize maxValue,

        @Setting(value = "How many items one agent may have.", initial = "10000", least = "1", most = "1000000")
        int maxItems) {}
