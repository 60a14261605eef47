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
import org.jspecify.annotations.Nullable;

/**
 * The paths a policy allows and blocks. A pattern is absolute or relative to the root. A plain path means a file, or a
 * folder with everything in it. A path with {@code *}, {@code ?}, {@code [} or <code>{</code> is a glob, in which one
 * star stays within a name and two cross folders. Blocking a folder blocks everything in it.
 */
public final class PathPatterns {
    /** Case does not count there. */
    private static final boolean IS_WINDOWS = File.separatorChar == '\\';

    private final @Nullable List<String> allowed;
    private final List<Pattern> allowedPatterns;
    private final List<Pattern> blockedPatterns;

    /**
     * A pattern, parsed once for all paths.
     *
     * @param matcher {@code null} if the pattern is invalid
     */
    private record Pattern(
            String text, boolean isAbsolute, @Nullable Predicate<Path> matcher) {
        static Pattern parse(String text) {
            try {
                boolean absolute = text.startsWith("/")
                        || Path.of(isGlob(text) ? "" : text).isAbsolute();
                return new Pattern(text, absolute, isGlob(text) ? glob(text) : within(Path.of(text)));
            } catch (InvalidPathException | PatternSyntaxException invalid) {
                return new Pattern(text, false, null);
            }
        }

        private static Predicate<Path> glob(String text) {
            PathGlob glob = PathGlob.parse(IS_WINDOWS ? text.toLowerCase(Locale.ROOT) : text);
            return path -> glob.matches(withSlashes(path));
        }

        private static Predicate<Path> within(Path folder) {
            Path plain = folder.normalize();
            return path -> plain.toString().isEmpty() || path.startsWith(plain);
        }

        /** The path in the forms that the pattern can mean. */
        Stream<Path> candidates(Path relative, List<Path> rootNames) {
            return isAbsolute
                    ? rootNames.stream().map(root -> root.resolve(relative).normalize())
                    : Stream.of(relative);
        }
    }

    public PathPatterns(Bounds bounds) {
        this.allowed = bounds.allowedPaths();
        this.allowedPatterns = allowed == null
                ? List.of()
                : allowed.stream().map(Pattern::parse).toList();
        this.blockedPatterns =
                bounds.blockedPaths().stream().map(Pattern::parse).toList();
    }

    /**
     * Why a path is refused; empty if it is not.
     *
     * @param relative the path from its root
     * @param rootNames all paths of the root
     * @param shown the path as the caller wrote it
     */
    public Optional<String> objection(Path relative, List<Path> rootNames, String shown) {
        for (Pattern pattern : blockedPatterns) {
            Predicate<Path> matcher = pattern.matcher();
            if (matcher == null) {
                return Optional.of(invalid(pattern));
            }
            // A folder that contains the path counts too, even one above the root.
            if (pattern.candidates(relative, rootNames)
                    .flatMap(path -> Stream.iterate(path, Objects::nonNull, Path::getParent))
                    .anyMatch(matcher)) {
                return Optional.of("'" + shown + "' is blocked by the policy's path '" + pattern.text() + "'");
            }
        }
        for (Pattern pattern : allowedPatterns) {
            Predicate<Path> matcher = pattern.matcher();
            if (matcher == null) {
                return Optional.of(invalid(pattern));
            }
            if (pattern.candidates(relative, rootNames).anyMatch(matcher)) {
                return Optional.empty();
            }
        }
        return allowed == null
                ? Optional.empty()
                : Optional.of("'" + shown + "' is not among the paths the policy allows: " + allowed);
    }

    private static String invalid(Pattern pattern) {
        return "The policy's path '" + pattern.text() + "' is not a valid pattern, so every path is refused";
    }

    /** Whether a pattern is a glob rather than a plain path. */
    public static boolean isGlob(String pattern) {
        return pattern.matches("(?s).*[*?\\[{].*");
    }

    private static String withSlashes(Path path) {
        return IS_WINDOWS ? path.toString().replace('\\', '/').toLowerCase(Locale.ROOT) : path.toString();
    }
}
