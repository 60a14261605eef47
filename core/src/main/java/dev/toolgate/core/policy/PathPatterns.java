package dev.toolgate.core.policy;

import dev.toolgate.core.call.Bounds;
import java.nio.file.FileSystems;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.PatternSyntaxException;

/**
 * The paths a policy allows and blocks. A pattern is absolute or relative to the root. A plain path means a file, or a
 * folder with everything in it. A path with {@code *}, {@code ?}, {@code [} or <code>{</code> is a glob, in which one
 * star stays within a name and two cross folders. Blocking a folder blocks everything in it.
 */
public final class PathPatterns {
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
                for (Path part = relative; part != null; part = part.getParent()) {
                    if (matches(pattern, part, rootNames)) {
                        return Optional.of("'" + shown + "' is blocked by the policy's path '" + pattern + "'");
                    }
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
        try {
            boolean glob = isGlob(pattern);
            if (!pattern.startsWith("/") && !Path.of(glob ? "" : pattern).isAbsolute()) {
                return glob ? globMatches(pattern, relative) : isWithin(Path.of(pattern), relative);
            }
            for (Path root : rootNames) {
                Path whole = root.resolve(relative).normalize();
                if (glob ? globMatches(pattern, whole) : isWithin(Path.of(pattern), whole)) {
                    return true;
                }
            }
            return false;
        } catch (InvalidPathException | PatternSyntaxException unreadable) {
            throw new Unreadable(pattern, unreadable);
        }
    }

    private static boolean isWithin(Path folder, Path path) {
        Path plain = folder.normalize();
        return plain.toString().isEmpty() || path.startsWith(plain);
    }

    // Java's ** requires at least one folder before a name; users expect it to match none as well.
    private static boolean globMatches(String pattern, Path path) {
        String plain = pattern.startsWith("./") ? pattern.substring(2) : pattern;
        return glob(plain, path)
                || (plain.startsWith("**/") && glob(plain.substring(3), path))
                || (plain.contains("/**/") && glob(plain.replace("/**/", "/"), path))
                || (plain.endsWith("/**") && glob(plain.substring(0, plain.length() - 3), path));
    }

    private static boolean glob(String pattern, Path path) {
        return FileSystems.getDefault().getPathMatcher("glob:" + pattern).matches(path);
    }

    private static final class Unreadable extends Exception {
        private static final long serialVersionUID = 1;

        Unreadable(String pattern, RuntimeException cause) {
            super(pattern, cause, false, false);
        }
    }
}
