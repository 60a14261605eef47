package dev.toolgate.server.config;

import dev.toolgate.core.redact.PersonalData;
import dev.toolgate.core.setting.Setting;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** Settings of redaction. */
public record RedactionSettings(
        @Setting(value = "Whether secrets are masked in stored parameters.", defaultValue = "true")
        boolean enabled,

        @Setting("Additional parameter names whose values are secrets.")
        List<String> keys,

        @Setting("Additional regular expressions that match secrets.")
        List<Pattern> patterns,

        @Setting("By tenant, the personal data that is masked in records: email, card, phone.")
        Map<String, List<PersonalData>> personalData) {
    public RedactionSettings {
        personalData = Map.copyOf(personalData);
        keys = List.copyOf(keys);
        patterns = List.copyOf(patterns);
    }
}
