package dev.toolgate.server.config;

import dev.toolgate.core.setting.Setting;
import dev.toolgate.runtime.sandbox.command.SandboxMode;
import dev.toolgate.runtime.sandbox.command.WorkspaceSharing;
import dev.toolgate.runtime.sandbox.files.DangerousPaths;
import java.util.List;

/** How commands are confined, and which files no tool touches. */
public record SandboxSection(
        @Setting(
                value = "confined: commands are confined or refused; degraded: weaker means are accepted.",
                initial = "confined")
        SandboxMode mode,

        @Setting(
                "Variables of the server that commands get beside PATH, LANG, LC_*, TZ, HOME and TERM; none with a secret.")
        List<String> environment,

        @Setting(
                value = "Files that no tool reads or writes and that commands see empty: names, or names with / between"
                        + " them; * stands for any characters, ** for any names.",
                initial = DangerousPaths.STANDARD)
        List<String> dangerousPaths,

        @Setting(
                value =
                        "side_by_side: commands of one workspace run at the same time; one_at_a_time: they wait for each"
                                + " other.",
                initial = "side_by_side")
        WorkspaceSharing commands) {
    public SandboxSection {
        environment = List.copyOf(environment);
        dangerousPaths = List.copyOf(dangerousPaths);
        try {
            DangerousPaths.of(dangerousPaths);
        } catch (IllegalArgumentException wrong) {
            throw new IllegalArgumentException("dangerous_paths: " + wrong.getMessage(), wrong);
        }
    }
}
