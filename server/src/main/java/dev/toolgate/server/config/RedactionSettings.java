package dev.toolgate.server.config;

import dev.toolgate.core.redact.PersonalData;
import dev.toolgate.core.setting.Setting;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** Which secrets are removed beyond the well-known kinds. */
public record RedactionSettings(
        @Setting(value = "Whether secrets are removed from stored parameters.", initial = "true")
        boolean enabled,

        @Setting("More names whose values are secrets.") List<String> keys,

        @Setting("More regular expressions of what is a secret.")
        List<Pattern> patterns,

        @Setting("By tenant, the personal data that is masked in records: email, card, phone.")
        Map<String, List<PersonalData>> personalData) {
    public RedactionSettings {
        personalData = Map.copyOf(personalData);
        keys = List.copyOf(keys);
        patterns = List.copyOf(patterns);
    }
}
