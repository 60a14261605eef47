package dev.toolgate.runtime.platform;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** macOS: the user's own shell or {@code zsh}. */
public final class MacPlatform extends UnixPlatform {
    private static final int PATH_MAX = 1024;
    private static final String DEFAULT_SHELL = "/bin/zsh";

    private final String shell;

    /** @param shell the user's shell; anything but an absolute path selects the default */
    public MacPlatform(String home, String shell) {
        super(home, PATH_MAX);
        this.shell = shell.startsWith("/") ? shell : DEFAULT_SHELL;
    }

    @Override
    public String name() {
        return "macOS";
    }

    @Override
    public List<String> shell(String command) {
        return List.of(shell, "-c", command);
    }

    @Override
    public List<Charset> fallbackEncodings() {
        return List.of(Charset.forName("x-MacRoman", StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
    }
}
