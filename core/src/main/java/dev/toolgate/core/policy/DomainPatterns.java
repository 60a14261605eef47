package dev.toolgate.core.policy;

import java.util.List;
import java.util.Locale;

/** Allowed hosts: {@code api.example.com} is that host, {@code *.example.com} every subdomain. */
public record DomainPatterns(List<String> patterns) {
    public DomainPatterns {
        patterns = patterns.stream().map(DomainPatterns::normalised).toList();
    }

    /** Whether the host (lower case, no trailing dot) is allowed. */
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
