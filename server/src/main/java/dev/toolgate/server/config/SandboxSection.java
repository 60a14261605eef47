package dev.toolgate.server.config;

import dev.toolgate.core.setting.Setting;
import dev.toolgate.runtime.sandbox.command.SandboxMode;
import dev.toolgate.runtime.sandbox.command.WorkspaceSharing;
import dev.toolgate.runtime.sandbox.files.DangerousPaths;
import java.util.List;

/** Settings of the sandbox: how commands are confined, and which files tools may not touch. */
public record SandboxSection(
        @Setting(
                value = "confined: commands run confined or are refused; degraded: weaker confinement is accepted.",
                defaultValue = "confined")
        SandboxMode mode,

        @Setting("Environment variables of the server that commands also get, besides PATH, LANG, LC_*, TZ, HOME and"
                + " TERM; variables with secrets are refused.")
        List<String> environment,

        @Setting(
                value = "Files that tools may not read or write and that commands see as empty: names or paths, with"
                        + " * for any characters and ** for any folders.",
                defaultValue = DangerousPaths.STANDARD)
        List<String> dangerousPaths,

        @Setting(
                value = "side_by_side: commands of one workspace run at the same time; one_at_a_time: they wait for"
                        + " each other.",
                defaultValue = "side_by_side")
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
