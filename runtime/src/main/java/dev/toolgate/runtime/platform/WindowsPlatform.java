package dev.toolgate.runtime.platform;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Windows: backslashes (slashes accepted), case does not matter, {@code cmd.exe}. */
public final class WindowsPlatform implements Platform {
    private final String home;

    public WindowsPlatform(String home) {
        this.home = home;
    }

    @Override
    public String name() {
        return "Windows";
    }

    @Override
    public char separator() {
        return '\\';
    }

    @Override
    public boolean isAbsolute(String path) {
        return WindowsPaths.isAbsolute(path);
    }

    @Override
    public String normalize(String path, String base) throws InvalidPath {
        return WindowsPaths.normalize(path, base, home);
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
}
