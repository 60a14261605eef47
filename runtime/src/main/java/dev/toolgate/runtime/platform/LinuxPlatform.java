package dev.toolgate.runtime.platform;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Linux: slashes, case matters, {@code sh}. */
public final class LinuxPlatform implements Platform {
    private static final int PATH_MAX = 4096;

    private final String home;

    public LinuxPlatform(String home) {
        this.home = home;
    }

    @Override
    public String name() {
        return "Linux";
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
        return List.of("/bin/sh", "-c", command);
    }

    @Override
    public List<Charset> fallbackEncodings() {
        return List.of(Charset.defaultCharset(), StandardCharsets.ISO_8859_1);
    }

    @Override
    public String normalizeLineEndings(String text) {
        return text;
    }
}
