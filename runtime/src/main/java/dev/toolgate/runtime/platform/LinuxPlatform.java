package dev.toolgate.runtime.platform;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Linux: slashes, case matters, {@code sh}. */
public final class LinuxPlatform implements Platform {
    private static final int PATH_MAX = 4096;

    private final String home;
    private final Charset localeEncoding;

    public LinuxPlatform(String home, Charset localeEncoding) {
        this.home = home;
        this.localeEncoding = localeEncoding;
    }

    @Override
    public String name() {
        return "Linux";
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

    @Override
    public boolean ignoresCase() {
        return false;
    }

    @Override
    public List<String> shell(String command) {
        return List.of("/bin/sh", "-c", command);
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
        return List.of(localeEncoding, StandardCharsets.ISO_8859_1);
    }

    @Override
    public String normalizeLineEndings(String text) {
        return text;
    }
}
