package dev.toolgate.runtime.platform;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** macOS: slashes, case matters, the user's own shell or {@code zsh}. */
public final class MacPlatform implements Platform {
    private static final int PATH_MAX = 1024;
    private static final String USUAL_SHELL = "/bin/zsh";

    private final String home;
    private final String shell;

    /**
     * @param shell the user's own; anything but an absolute path means the usual one
     */
    public MacPlatform(String home, String shell) {
        this.home = home;
        this.shell = shell.startsWith("/") ? shell : USUAL_SHELL;
    }

    @Override
    public String name() {
        return "macOS";
    }

    @Override
    public char separator() {
        return '/';
    }

    @Override
    public boolean isAbsolute(String path) {
        return UnixPaths.isAbsolute(path);
    }

    @Override
    public String normalize(String path, String base) throws InvalidPath {
        return UnixPaths.normalize(path, base, home, PATH_MAX);
    }

    // A volume can be formatted either way; a list of names to refuse should ignore case on its own account.
    @Override
    public boolean ignoresCase() {
        return false;
    }

    @Override
    public List<String> shell(String command) {
        return List.of(shell, "-c", command);
    }

    @Override
    public List<String> askTreeToEnd(long pid) {
        return UnixSignals.toGroup("TERM", pid);
    }

    @Override
    public List<String> endTree(long pid) {
        return UnixSignals.toGroup("KILL", pid);
    }

    @Override
    public List<Charset> fallbackEncodings() {
        return List.of(Charset.forName("x-MacRoman", StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
    }

    @Override
    public String normalizeLineEndings(String text) {
        return text;
    }
}
