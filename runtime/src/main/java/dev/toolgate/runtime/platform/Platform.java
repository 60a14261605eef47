package dev.toolgate.runtime.platform;

import java.nio.charset.Charset;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The differences between operating systems as values and pure functions, so that every platform can be tested on any
 * other.
 */
public interface Platform {

    /** Linux, macOS or Windows. */
    String name();

    /** The separator between names of a path. */
    char separator();

    /** Whether a path is absolute in this platform's notation. */
    boolean isAbsolute(String path);

    /**
     * Expands {@code ~}, makes the path absolute against the base, resolves {@code .} and {@code ..}, and uses this
     * platform's separators. Does not access the disk.
     *
     * @param base an absolute path in this platform's notation
     * @throws InvalidPath if the path is empty or too long, or cannot name a file here
     */
    String normalize(String path, String base) throws InvalidPath;

    /** Whether file names are case-insensitive. */
    boolean ignoresCase();

    /** The program and its arguments that run a command line in this platform's shell. */
    List<String> shell(String command);

    /** The encodings to try, in order, for text that is not valid in the requested one; the last accepts any bytes. */
    List<Charset> fallbackEncodings();

    /** The text with this platform's line endings replaced by {@code \n}. */
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
