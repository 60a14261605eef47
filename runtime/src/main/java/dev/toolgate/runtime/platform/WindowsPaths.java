package dev.toolgate.runtime.platform;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The path notation of Windows. A normalized path starts with an upper-case drive or with server and share, and has the
 * long-path prefix only where its length requires it.
 */
final class WindowsPaths {
    private static final String LONG_PREFIX = "\\\\?\\";
    private static final String LONG_UNC_PREFIX = "\\\\?\\UNC\\";
    private static final int MAX_LENGTH = 259; // 260 with the NUL at the end
    private static final int MAX_LENGTH_WITH_PREFIX = 32_766;

    private static final Pattern DRIVE = Pattern.compile("([A-Za-z]):\\\\(.*)", Pattern.DOTALL);
    private static final Pattern SHARE = Pattern.compile("\\\\\\\\([^\\\\]+)\\\\+([^\\\\]+)(.*)", Pattern.DOTALL);
    private static final Pattern DRIVE_WITHOUT_PATH = Pattern.compile("[A-Za-z]:([^\\\\].*)?", Pattern.DOTALL);

    private WindowsPaths() {}

    /** A path in two parts: the root, which {@code ..} cannot leave, and the names below it. */
    private record Rooted(String root, String rest) {}

    static boolean isAbsolute(String path) {
        String plain = withoutPrefix(path.replace('/', '\\'));
        return startsAtHome(plain)
                || DRIVE.matcher(plain).matches()
                || SHARE.matcher(plain).matches();
    }

    static String normalize(String path, String base, String home) throws InvalidPath {
        PathSyntax.check(path);
        String given = path.replace('/', '\\');
        if (startsAtHome(given)) {
            given = home.replace('/', '\\') + given.substring(1);
        }
        Optional<Rooted> own = root(withoutPrefix(given));
        Rooted rooted = own.isPresent() ? own.get() : under(base.replace('/', '\\'), given);
        String normal = rooted.root() + resolveDots(rooted.rest());
        boolean prefixed = given.startsWith(LONG_PREFIX) || base.startsWith(LONG_PREFIX);
        int maxLength = prefixed ? MAX_LENGTH_WITH_PREFIX : MAX_LENGTH;
        String written = normal.length() > MAX_LENGTH ? withPrefix(normal) : normal;
        if ((prefixed ? written : normal).length() > maxLength) {
            throw new InvalidPath("The path is longer than " + maxLength + " characters"
                    + (prefixed ? "" : "; if it must be longer, write it with the prefix " + LONG_PREFIX));
        }
        return written;
    }

    private static boolean startsAtHome(String path) {
        return path.equals("~") || path.startsWith("~\\");
    }

    private static Rooted under(String base, String path) throws InvalidPath {
        Rooted start = root(withoutPrefix(base))
                .orElseThrow(() -> new IllegalArgumentException("The base of a path must be absolute."));
        return new Rooted(start.root(), path.startsWith("\\") ? path : start.rest() + "\\" + path);
    }

    /** The two parts of an absolute path; empty if the path is relative. */
    private static Optional<Rooted> root(String path) throws InvalidPath {
        Matcher drive = DRIVE.matcher(path);
        if (drive.matches()) {
            return Optional.of(new Rooted(drive.group(1).toUpperCase(Locale.ROOT) + ":\\", drive.group(2)));
        }
        Matcher share = SHARE.matcher(path);
        if (share.matches()) {
            return Optional.of(new Rooted(share(share.group(1), share.group(2)), share.group(3)));
        }
        if (path.startsWith("\\\\")) {
            throw new InvalidPath("The path names a server but no share on it");
        }
        if (DRIVE_WITHOUT_PATH.matcher(path).matches()) {
            throw new InvalidPath("The path names a drive without a folder; write a backslash after the colon");
        }
        return Optional.empty();
    }

    private static String share(String server, String name) throws InvalidPath {
        if (server.equals(".") || server.equals("?")) {
            throw new InvalidPath("The path names a device, not a file");
        }
        WindowsNames.check(server);
        WindowsNames.check(name);
        return "\\\\" + server + "\\" + name + "\\";
    }

    private static String resolveDots(String path) throws InvalidPath {
        Deque<String> names = new ArrayDeque<>();
        for (String name : path.split("\\\\")) {
            if (name.equals("..")) {
                names.pollLast();
            } else if (!name.isEmpty() && !name.equals(".")) {
                WindowsNames.check(name);
                names.addLast(name);
            }
        }
        return String.join("\\", names);
    }

    private static String withoutPrefix(String path) {
        if (path.regionMatches(true, 0, LONG_UNC_PREFIX, 0, LONG_UNC_PREFIX.length())) {
            return "\\\\" + path.substring(LONG_UNC_PREFIX.length());
        }
        boolean drive = path.startsWith(LONG_PREFIX)
                && DRIVE.matcher(path.substring(LONG_PREFIX.length())).matches();
        return drive ? path.substring(LONG_PREFIX.length()) : path;
    }

    private static String withPrefix(String normal) {
        return normal.startsWith("\\\\") ? LONG_UNC_PREFIX + normal.substring(2) : LONG_PREFIX + normal;
    }
}
