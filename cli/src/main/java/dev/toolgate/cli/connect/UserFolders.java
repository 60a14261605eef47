package dev.toolgate.cli.connect;

import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The folders in which programs keep a user's settings on this machine. */
public record UserFolders(Map<String, String> environment, String system) {

    /** The folders of the user who runs this program. */
    public static UserFolders ofThisMachine() {
        return new UserFolders(System.getenv(), System.getProperty("os.name"));
    }

    /** The user's home, as the programs that are set up see it. */
    public Path home() {
        String home = given(isWindows() ? "USERPROFILE" : "HOME");
        return Path.of(home == null ? System.getProperty("user.home") : home);
    }

    /** The folder that a variable names, or else one below the home. */
    public Path inOrBelowHome(String variable, String below) {
        String named = given(variable);
        return named == null ? home().resolve(below) : Path.of(named);
    }

    /** The settings folder of desktop applications. */
    public Path applicationSettings() {
        if (system.toLowerCase(Locale.ROOT).startsWith("mac")) {
            return home().resolve("Library").resolve("Application Support");
        }
        return isWindows() ? inOrBelowHome("APPDATA", "AppData/Roaming") : inOrBelowHome("XDG_CONFIG_HOME", ".config");
    }

    private boolean isWindows() {
        return system.toLowerCase(Locale.ROOT).startsWith("windows");
    }

    private @Nullable String given(String variable) {
        String value = environment.get(variable);
        return value == null || value.isBlank() ? null : value;
    }
}
