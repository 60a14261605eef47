package dev.toolgate.runtime.sandbox.files;

import dev.toolgate.core.redact.Redactor;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * Takes variables out of an environment that hold keys, tokens, secrets, passwords or credentials, by
 * their names and, for names that tell nothing ({@code DATABASE_URL}), by their values.
 */
public final class EnvironmentFilter {
    private static final List<String> SENSITIVE =
            List.of("key", "token", "secret", "password", "passwd", "passphrase", "credential");

    // DB_PASS, SSHPASS, MYSQL_PWD; but not PWD, and not BYPASS_CACHE.
    private static final List<String> SENSITIVE_ENDS = List.of("pass", "_pwd");

    private static final Redactor REDACTOR = Redactor.standard();

    private EnvironmentFilter() {}

    /** The variables that may be passed on. */
    public static Map<String, String> sanitise(Map<String, String> environment) {
        Map<String, String> clean = new TreeMap<>(environment);
        clean.entrySet().removeIf(variable -> isSensitive(variable.getKey(), variable.getValue()));
        return Map.copyOf(clean);
    }

    /** The same for variables written as {@code NAME=value}. */
    public static List<String> sanitise(List<String> environment) {
        return environment.stream()
                .filter(variable -> {
                    int equals = variable.indexOf('=');
                    return equals < 0
                            ? !isSensitive(variable, "")
                            : !isSensitive(variable.substring(0, equals), variable.substring(equals + 1));
                })
                .toList();
    }

    private static boolean isSensitive(String name, String value) {
        String lower = name.toLowerCase(Locale.ROOT);
        return SENSITIVE.stream().anyMatch(lower::contains)
                || SENSITIVE_ENDS.stream().anyMatch(lower::endsWith)
                || !REDACTOR.clean(value).equals(value);
    }
}
