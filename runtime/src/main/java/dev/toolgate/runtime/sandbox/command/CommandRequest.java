package dev.toolgate.runtime.sandbox.command;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * A command to confine.
 *
 * @param command a line for the shell
 * @param workspace the only folder it may write to; an absolute, real path
 * @param cwd where it starts; the workspace or a folder beneath it
 * @param environment all the variables it gets, as {@link CommandEnvironment} decides
 * @param allowedDomains the hosts it may reach through the proxy; empty means no network at all
 * @param view what it sees of the workspace
 */
public record CommandRequest(
        String command,
        Path workspace,
        Path cwd,
        Map<String, String> environment,
        List<String> allowedDomains,
        WorkspaceView view) {

    /** A command that sees the whole workspace. */
    public CommandRequest(
            String command, Path workspace, Path cwd, Map<String, String> environment, List<String> allowedDomains) {
        this(command, workspace, cwd, environment, allowedDomains, WorkspaceView.WHOLE);
    }

    public CommandRequest {
        environment = CommandEnvironment.requireNoneOfTheServers(environment);
        allowedDomains = List.copyOf(allowedDomains);
    }
}
