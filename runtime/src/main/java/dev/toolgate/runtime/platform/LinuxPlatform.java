package dev.toolgate.runtime.platform;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Linux: {@code sh}, and the encoding of the user's locale. */
public final class LinuxPlatform extends UnixPlatform {
    private static final int PATH_MAX = 4096;

    private final Charset localeEncoding;

    public LinuxPlatform(String home, Charset localeEncoding) {
        super(home, PATH_MAX);
        this.localeEncoding = localeEncoding;
    }

    @Override
    public String name() {
        return "Linux";
    }

    @Override
    public List<String> shell(String command) {
        return List.of("/bin/sh", "-c", command);
    }

    @Override
    public List<Charset> fallbackEncodings() {
        return List.of(localeEncoding, StandardCharsets.ISO_8859_1);
    }
}
