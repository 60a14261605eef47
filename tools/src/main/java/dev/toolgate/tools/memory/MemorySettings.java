package dev.toolgate.tools.memory;

import dev.toolgate.core.setting.ByteSize;
import dev.toolgate.core.setting.Setting;

/** Settings of the memory tools. */
public record MemorySettings(
        @Setting(value = "The maximum size of one value.", defaultValue = "64KB", min = "1B", max = "256KB")
        ByteSize maxValue,

        @Setting(
                value = "The maximum number of items of one agent.",
                defaultValue = "10000",
                min = "1",
                max = "1000000")
        int maxItems) {

    /** The limits for the tools. */
    public MemoryLimits limits() {
        return new MemoryLimits(Math.toIntExact(maxValue.bytes()), maxItems);
    }
}
