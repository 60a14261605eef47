package dev.toolgate.server.config;

import dev.toolgate.core.pipeline.Bind;
import dev.toolgate.core.setting.Setting;
import java.time.Duration;

/** Settings of tools that their callers run themselves. */
public record ExternalToolSettings(
        @Setting(value = "The default lifetime of a permit.", defaultValue = "10m", min = "1s", max = "1d")
        Duration permit,

        @Setting(value = "The maximum lifetime of a permit.", defaultValue = "1h", min = "1s", max = "1d")
        Duration maxPermit,

        @Setting(
                value = "Whether permits are given for unregistered tools; they count as dangerous.",
                defaultValue = "false")
        boolean knownByFirstUse) {
    public ExternalToolSettings {
        if (permit.compareTo(maxPermit) > 0) {
            throw new IllegalArgumentException("permit: must not be longer than max_permit");
        }
    }

    /** How calls of unregistered tools are treated. */
    public Bind.Unregistered unregistered() {
        return knownByFirstUse ? Bind.Unregistered.DANGEROUS : Bind.Unregistered.UNKNOWN;
    }
}
