package dev.toolgate.runtime.sandbox.files;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** Takes variables that hold keys, tokens, secrets, passwords or credentials out of an environment. */
public final class EnvironmentFilter {
    private static final List<String> SENSITIVE = List.of("key", "token", "secret", "password", "passwd", "credential");

    private EnvironmentFilter() {}

    /** The variables that may be passed on. */
    public static Map<String, String> sanitise(Map<String, String> environment) {
        Map<String, String> clean = new TreeMap<>(environment);
        clean.keySet().removeIf(EnvironmentFilter::isSensitive);
        return Map.copyOf(clean);
    }

    /** The same for variables written as {@code NAME=value}. */
    public static List<String> sanitise(List<String> environment) {
        return environment.stream()
                .filter(variable -> !isSensitive(variable.split("=", 2)[0]))
                .toList();
    }

    private static boolean isSensitive(String name) {
        String lower = name.toLowerCase(Locale.ROOT);
        return SENSITIVE.stream().anyMatch(lower::contains);
    }
}
