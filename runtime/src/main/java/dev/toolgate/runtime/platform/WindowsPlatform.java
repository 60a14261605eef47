package dev.toolgate.runtime.platform;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.regex.Pattern;

/** Windows: backslashes (slashes accepted), case does not matter, {@code cmd.exe}. */
public final class WindowsPlatform implements Platform {
    private static final int LONGEST = 32_767;
    private static final Pattern ABSOLUTE =
            Pattern.compile("[A-Za-z]:[\\\\/].*|[\\\\/]{2}[^\\\\/]+[\\\\/]+[^\\\\/]+.*");

    private final String home;

    public WindowsPlatform(String home) {
        this.home = home;
    }

    @Override
    public String name() {
        return "Windows";
    }

    @Override
    public boolean isAbsolute(String path) {
        return ABSOLUTE.matcher(path).matches() || path.equals("~") || path.startsWith("~/") || path.startsWith("~\\");
    }

    @Override
    public String normalize(String path, String base) throws InvalidPath {
        if (path.isEmpty()) {
            throw new InvalidPath("The path is empty");
        }
        if (path.indexOf('\0') >= 0) {
            throw new InvalidPath("The path contains a NUL character");
        }
        String whole =
                path.equals("~") || path.startsWith("~/") || path.startsWith("~\\") ? home + path.substring(1) : path;
        if (!ABSOLUTE.matcher(whole).matches()) {
            whole = base + "\\" + whole;
        }
        whole = whole.replace('/', '\\');
        String root = whole.startsWith("\\\\") ? "\\\\" : whole.substring(0, 3);
        String normal = root + resolveDots(whole.substring(root.length()));
        if (normal.length() > LONGEST) {
            throw new InvalidPath("The path is longer than " + LONGEST + " characters");
        }
        return normal;
    }

    @Override
    public boolean ignoresCase() {
        return true;
    }

    @Override
    public List<String> shell(String command) {
        return List.of("cmd.exe", "/c", command);
    }

    @Override
    public List<Charset> fallbackEncodings() {
        return List.of(Charset.forName("windows-1252"), StandardCharsets.ISO_8859_1);
    }

    @Override
    public String normalizeLineEndings(String text) {
        return text.replace("\r\n", "\n");
    }

    private static String resolveDots(String path) {
        Deque<String> parts = new ArrayDeque<>();
        for (String part : path.split("\\\\")) {
            if (part.equals("..")) {
                parts.pollLast();
            } else if (!part.isEmpty() && !part.equals(".")) {
                parts.addLast(part);
            }
        }
        return String.join("\\", parts);
    }
}
