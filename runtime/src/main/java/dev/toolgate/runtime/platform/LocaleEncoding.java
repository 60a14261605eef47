package dev.toolgate.runtime.platform;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.stream.Stream;

/** The encoding configured in a Unix environment, as in {@code LANG=de_DE.ISO-8859-15}. */
final class LocaleEncoding {
    private LocaleEncoding() {}

    /**
     * The encoding of the variable with the highest precedence that is set; UTF-8 if it names none or an unknown one.
     */
    static Charset of(Map<String, String> environment) {
        return Stream.of("LC_ALL", "LC_CTYPE", "LANG")
                .map(name -> environment.getOrDefault(name, ""))
                .filter(value -> !value.isEmpty())
                .findFirst()
                .map(LocaleEncoding::codeset)
                .orElse(StandardCharsets.UTF_8);
    }

    private static Charset codeset(String locale) {
        int dot = locale.indexOf('.');
        int at = locale.indexOf('@');
        String name = dot < 0 ? "" : locale.substring(dot + 1, at > dot ? at : locale.length());
        try {
            return Charset.forName(name);
        } catch (IllegalArgumentException unknown) {
            return StandardCharsets.UTF_8;
        }
    }
}
