package dev.toolgate.tools.memory;

import dev.toolgate.core.setting.ByteSize;
import dev.toolgate.core.setting.Setting;

/** How much agents may remember. */
public record MemorySettings(
        @Setting(value = "The size of one value.", initial = "64KB", least = "1B", most = "256KB")
        ByteSize maxValue,

        @Setting(value = "How many items one agent may have.", initial = "10000", least = "1", most = "1000000")
        int maxItems) {

    /** The same, as the tools take it. */
    public MemoryLimits limits() {
        return new MemoryLimits(Math.toIntExact(maxValue.bytes()), maxItems);
    }
}
