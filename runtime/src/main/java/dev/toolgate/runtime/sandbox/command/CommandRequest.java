package dev.toolgate.runtime.sandbox.command;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * A command to run in a sandbox.
 *
 * @param command a command line for the shell
 * @param workspace the only folder it may write to; an absolute, real path
 * @param cwd its working directory: the workspace or a folder in it
 * @param environment its complete environment, as selected by {@link CommandEnvironment}
 * @param allowedDomains the hosts it may reach through the proxy; empty means no network
 * @param view the visible part of the workspace
 */
public record CommandRequest(
        String command,
        Path workspace,
        Path cwd,
        Map<String, String> environment,
        List<String> allowedDomains,
        WorkspaceView view) {

    /** A command that sees the whole workspace. */
    public static CommandRequest inWholeWorkspace(
            String command, Path workspace, Path cwd, Map<String, String> environment, List<String> allowedDomains) {
        return new CommandRequest(command, workspace, cwd, environment, allowedDomains, WorkspaceView.WHOLE);
    }

    public CommandRequest {
        environment = CommandEnvironment.requireNoServerVariables(environment);
        allowedDomains = List.copyOf(allowedDomains);
    }
}
