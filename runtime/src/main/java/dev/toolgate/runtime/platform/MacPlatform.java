package dev.toolgate.runtime.platform;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** macOS: slashes, {@code zsh} or the user's own shell. */
public final class MacPlatform implements Platform {
    private static final int PATH_MAX = 1024;

    private final String home;
    private final String shell;

    public MacPlatform(String home, String shell) {
        this.home = home;
        this.shell = shell;
    }

    @Override
    public String name() {
        return "macOS";
    }

    @Override
    public boolean isAbsolute(String path) {
        return path.startsWith("/") || path.equals("~") || path.startsWith("~/");
    }

    @Override
    public String normalize(String path, String base) throws InvalidPath {
        return UnixPaths.normalize(path, base, home, PATH_MAX);
    }

    @Override
    public boolean ignoresCase() {
        return false;
    }

    @Override
    public List<String> shell(String command) {
        return List.of(shell, "-c", command);
    }

    @Override
    public List<Charset> fallbackEncodings() {
        return List.of(Charset.forName("x-MacRoman"), StandardCharsets.ISO_8859_1);
    }

    @Override
    public String normalizeLineEndings(String text) {
        return text;
    }
}
