package dev.toolgate.server.config;

import java.util.List;
import java.util.regex.Pattern;

/** Which secrets are removed beyond the well-known kinds. */
public record RedactionSettings(
        @Setting(value = "Whether secrets are removed from stored parameters.", initial = "true")
        boolean enabled,

        @Setting("More names whose values are secrets.") List<String> keys,

        @Setting("More regular expressions of what is a secret.")
        List<Pattern> patterns) {
    public RedactionSettings {
        keys = List.copyOf(keys);
        patterns = List.copyOf(patterns);
    }
}
