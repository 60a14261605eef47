package dev.toolgate.runtime.sandbox.files;

import dev.toolgate.core.call.Bounds;
import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.tool.ToolFailure;
import java.nio.file.FileSystems;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.PatternSyntaxException;

/**
 * The paths a policy allows and blocks. A pattern is absolute, or relative to the root. A plain path
 * names a file, or a folder with everything in it. A path with a star, a question mark, a bracket or
 * a brace is a glob, in which one star stays within a name and two do not. What is blocked stays
 * blocked beneath.
 */
final class PathRules {
    private final List<String> allowed;
    private final List<String> blocked;
    private final boolean allowsEverything;

    PathRules(Bounds bounds) {
        List<String> set = bounds.allowedPaths();
        this.allowed = set == null ? List.of() : set;
        this.allowsEverything = set == null;
        this.blocked = bounds.blockedPaths();
    }

    /** Checks a path given relative to its root, under each of the names the root has. */
    void check(Path relative, List<Path> rootNames, String shown) throws ToolFailure {
        for (String pattern : blocked) {
            for (Path part = relative; part != null; part = part.getParent()) {
                if (matches(pattern, part, rootNames)) {
                    throw refusal("'" + shown + "' is blocked by the policy's path '" + pattern + "'");
                }
            }
        }
        if (allowsEverything) {
            return;
        }
        for (String pattern : allowed) {
            if (matches(pattern, relative, rootNames)) {
                return;
            }
        }
        throw refusal("'" + shown + "' is not among the paths the policy allows: " + allowed);
    }

    private static boolean matches(String pattern, Path relative, List<Path> rootNames) throws ToolFailure {
        try {
            boolean glob = pattern.matches(".*[*?\\[{].*");
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
            throw refusal("The policy's path '" + pattern + "' cannot be understood, so every path is refused");
        }
    }

    private static boolean isWithin(Path folder, Path path) {
        Path plain = folder.normalize();
        return plain.toString().isEmpty() || path.startsWith(plain);
    }

    // Java's ** wants at least one folder in front of a name; people mean none as well.
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

    private static ToolFailure refusal(String message) {
        return new ToolFailure(ErrorCode.PERMISSION_DENIED, message);
    }
}
