package dev.toolgate.runtime.platform;

import java.nio.charset.Charset;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What differs between operating systems, as values and pure functions, so that every platform can
 * be tested on any other.
 */
public interface Platform {

    /** Linux, macOS or Windows. */
    String name();

    /** What stands between the names of a path. */
    char separator();

    /** Whether a path says where it starts, in this platform's notation. */
    boolean isAbsolute(String path);

    /**
     * Expands {@code ~}, makes the path absolute against the base, resolves {@code .} and {@code ..},
     * and writes separators this platform's way. Does not touch the disk.
     *
     * @param base an absolute path in this platform's notation
     * @throws InvalidPath if the path is empty or too long, or cannot name a file here
     */
    String normalize(String path, String base) throws InvalidPath;

    /** Whether two names that differ only in case name the same file. */
    boolean ignoresCase();

    /** The program and its arguments that run a command line in this platform's shell. */
    List<String> shell(String command);

    /** The encodings to try, in order, for text that is not valid in the one asked for; the last fits any. */
    List<Charset> fallbackEncodings();

    /** Whole output text with this platform's line endings turned into {@code \n}. */
    String normalizeLineEndings(String text);

    /** The platform this process runs on. */
    static Platform current() {
        return of(System.getProperty("os.name", ""), Path.of(System.getProperty("user.home", "/")), System.getenv());
    }

    /** The platform with this name, for a user with this home folder and environment. */
    static Platform of(String osName, Path home, Map<String, String> environment) {
        String os = osName.toLowerCase(Locale.ROOT);
        if (os.startsWith("windows")) {
            return new WindowsPlatform(environment.getOrDefault("USERPROFILE", home.toString()));
        }
        if (os.startsWith("mac")) {
            return new MacPlatform(home.toString(), environment.getOrDefault("SHELL", ""));
        }
        return new LinuxPlatform(home.toString(), LocaleEncoding.of(environment));
    }
}
