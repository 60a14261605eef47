package dev.toolgate.core.call;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Limits on one call: sizes, time, and which paths, domains and commands it may use. {@code null} means no limit; an
 * empty list allows (or blocks) nothing.
 */
public record Bounds(
        @Nullable Long maxFileSizeBytes,
        @Nullable Integer maxOutputBytes,
        @Nullable Duration timeout,
        @Nullable List<String> allowedPaths,
        List<String> blockedPaths,
        @Nullable List<String> allowedDomains,
        @Nullable List<String> allowedCommands,
        List<String> blockedCommands) {

    private static final Bounds NONE = new Bounds(null, null, null, null, List.of(), null, null, List.of());

    public Bounds {
        if (maxFileSizeBytes != null && maxFileSizeBytes < 0) {
            throw new IllegalArgumentException("maxFileSizeBytes must not be negative.");
        }
        if (maxOutputBytes != null && maxOutputBytes < 0) {
            throw new IllegalArgumentException("maxOutputBytes must not be negative.");
        }
        if (timeout != null && (timeout.isNegative() || timeout.isZero())) {
            throw new IllegalArgumentException("The time-out must be longer than zero.");
        }
        allowedPaths = allowedPaths == null ? null : List.copyOf(allowedPaths);
        blockedPaths = List.copyOf(blockedPaths);
        allowedDomains = allowedDomains == null ? null : List.copyOf(allowedDomains);
        allowedCommands = allowedCommands == null ? null : List.copyOf(allowedCommands);
        blockedCommands = List.copyOf(blockedCommands);
    }

    /** No limits beyond the tool's own. */
    public static Bounds none() {
        return NONE;
    }

    /** Only the sizes are limited. */
    public static Bounds sizes(@Nullable Long maxFileSizeBytes, @Nullable Integer maxOutputBytes) {
        return new Bounds(maxFileSizeBytes, maxOutputBytes, null, null, List.of(), null, null, List.of());
    }

    /** Only the time is limited. */
    public static Bounds time(Duration timeout) {
        return new Bounds(null, null, timeout, null, List.of(), null, null, List.of());
    }

    /** Both sets of limits combined: the smaller size, the shorter time, only what both allow. */
    public Bounds and(Bounds other) {
        if (other.equals(NONE)) {
            return this;
        }
        if (equals(NONE)) {
            return other;
        }
        return new Bounds(
                smaller(maxFileSizeBytes, other.maxFileSizeBytes),
                smaller(maxOutputBytes, other.maxOutputBytes),
                smaller(timeout, other.timeout),
                both(allowedPaths, other.allowedPaths),
                either(blockedPaths, other.blockedPaths),
                both(allowedDomains, other.allowedDomains),
                both(allowedCommands, other.allowedCommands),
                either(blockedCommands, other.blockedCommands));
    }

    /** Whether paths are limited. */
    public boolean limitsPaths() {
        return allowedPaths != null || !blockedPaths.isEmpty();
    }

    /** Whether commands are limited. */
    public boolean limitsCommands() {
        return allowedCommands != null || !blockedCommands.isEmpty();
    }

    private static List<String> either(List<String> one, List<String> two) {
        List<String> all = new ArrayList<>(one);
        all.addAll(two);
        return all;
    }

    private static <T extends Comparable<T>> @Nullable T smaller(@Nullable T one, @Nullable T two) {
        if (one == null || two == null) {
            return one == null ? two : one;
        }
        return one.compareTo(two) <= 0 ? one : two;
    }

    // Patterns cannot be intersected, so only those in both lists are kept.
    private static @Nullable List<String> both(@Nullable List<String> one, @Nullable List<String> two) {
        if (one == null || two == null) {
            return one == null ? two : one;
        }
        return one.stream().filter(two::contains).toList();
    }
}
