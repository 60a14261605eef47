package dev.toolgate.core.policy;

import java.util.List;
import java.util.Locale;

/** Hosts that may be reached: {@code api.example.com} is that host, {@code *.example.com} all below it. */
public record DomainPatterns(List<String> patterns) {
    public DomainPatterns {
        patterns = patterns.stream().map(DomainPatterns::normalised).toList();
    }

    /** Whether the host, in lower case and without a dot at its end, is among them. */
    public boolean contains(String host) {
        return patterns.stream().anyMatch(pattern -> matches(pattern, host));
    }

    private static boolean matches(String pattern, String host) {
        return pattern.startsWith("*.")
                ? host.endsWith(pattern.substring(1)) && host.length() > pattern.length() - 1
                : pattern.equals("*") || pattern.equals(host);
    }

    private static String normalised(String pattern) {
        String lower = pattern.strip().toLowerCase(Locale.ROOT);
        return lower.endsWith(".") ? lower.substring(0, lower.length() - 1) : lower;
    }
}
