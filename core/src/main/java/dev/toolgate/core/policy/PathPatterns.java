package dev.toolgate.core.policy;

import dev.toolgate.core.call.Bounds;
import java.io.File;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.PatternSyntaxException;
import java.util.stream.Stream;

/**
 * The paths a policy allows and blocks. A pattern is absolute or relative to the root. A plain path means a file, or a
 * folder with everything in it. A path with {@code *}, {@code ?}, {@code [} or <code>{</code> is a glob, in which one
 * star stays within a name and two cross folders. Blocking a folder blocks everything in it.
 */
public final class PathPatterns {
    /** Case does not count there. */
    private static final boolean IS_WINDOWS = File.separatorChar == '\\';

    private final List<String> allowed;
    private final List<String> blocked;
    private final boolean allowsEverything;

    public PathPatterns(Bounds bounds) {
        List<String> set = bounds.allowedPaths();
        this.allowed = set == null ? List.of() : set;
        this.allowsEverything = set == null;
        this.blocked = bounds.blockedPaths();
    }

    /**
     * Why a path is refused; empty if it is not.
     *
     * @param relative the path from its root
     * @param rootNames all paths of the root
     * @param shown the path as the caller wrote it
     */
    public Optional<String> objection(Path relative, List<Path> rootNames, String shown) {
        try {
            for (String pattern : blocked) {
                if (blocks(pattern, relative, rootNames)) {
                    return Optional.of("'" + shown + "' is blocked by the policy's path '" + pattern + "'");
                }
            }
            for (String pattern : allowed) {
                if (matches(pattern, relative, rootNames)) {
                    return Optional.empty();
                }
            }
        } catch (Unreadable pattern) {
            return Optional.of("The policy's path '" + pattern.getMessage()
                    + "' is not a valid pattern, so every path is refused");
        }
        return allowsEverything
                ? Optional.empty()
                : Optional.of("'" + shown + "' is not among the paths the policy allows: " + allowed);
    }

    /** Whether a pattern is a glob rather than a plain path. */
    public static boolean isGlob(String pattern) {
        return pattern.matches("(?s).*[*?\\[{].*");
    }

    private static boolean matches(String pattern, Path relative, List<Path> rootNames) throws Unreadable {
        Predicate<Path> matcher = matcher(pattern);
        return candidates(pattern, relative, rootNames).anyMatch(matcher);
    }

    /** Whether it matches the path or a folder that contains it, even one above the root. */
    private static boolean blocks(String pattern, Path relative, List<Path> rootNames) throws Unreadable {
        Predicate<Path> matcher = matcher(pattern);
        return candidates(pattern, relative, rootNames)
                .anyMatch(path ->
                        Stream.iterate(path, Objects::nonNull, Path::getParent).anyMatch(matcher));
    }

    /** The path in the forms that a pattern can mean. */
    private static Stream<Path> candidates(String pattern, Path relative, List<Path> rootNames) throws Unreadable {
        return isAbsolute(pattern)
                ? rootNames.stream().map(root -> root.resolve(relative).normalize())
                : Stream.of(relative);
    }

    private static boolean isAbsolute(String pattern) throws Unreadable {
        try {
            return pattern.startsWith("/")
                    || Path.of(isGlob(pattern) ? "" : pattern).isAbsolute();
        } catch (InvalidPathException unreadable) {
            throw new Unreadable(pattern, unreadable);
        }
    }

    private static Predicate<Path> matcher(String pattern) throws Unreadable {
        try {
            if (isGlob(pattern)) {
                PathGlob glob = PathGlob.parse(IS_WINDOWS ? pattern.toLowerCase(Locale.ROOT) : pattern);
                return path -> glob.matches(withSlashes(path));
            }
            Path plain = Path.of(pattern).normalize();
            return path -> plain.toString().isEmpty() || path.startsWith(plain);
        } catch (InvalidPathException | PatternSyntaxException unreadable) {
            throw new Unreadable(pattern, unreadable);
        }
    }

    private static String withSlashes(Path path) {
        return IS_WINDOWS ? path.toString().replace('\\', '/').toLowerCase(Locale.ROOT) : path.toString();
    }

    private static final class Unreadable extends Exception {
        private static final long serialVersionUID = 1;

        Unreadable(String pattern, RuntimeException cause) {
            super(pattern, cause, false, false);
        }
    }
}
