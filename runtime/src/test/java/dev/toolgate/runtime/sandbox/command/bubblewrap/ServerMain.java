package dev.toolgate.runtime.sandbox.command.bubblewrap;

import dev.toolgate.runtime.sandbox.command.CommandRequest;
import dev.toolgate.runtime.sandbox.command.SandboxSettings;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** A server with a running command and prepared sandboxes, killed by {@link ServerDeathTest}. */
final class ServerMain {
    private ServerMain() {}

    public static void main(String[] workspaceAndCommand) throws Exception {
        Path workspace = Path.of(workspaceAndCommand[0]);
        BubblewrapSandbox sandbox =
                BubblewrapSandbox.open(_ -> SandboxFixture.pickAccount(), SandboxSettings.standard(), _ -> {
                    throw new AssertionError();
                });
        sandbox.prepare(workspace);
        sandbox.start(
                CommandRequest.inWholeWorkspace(workspaceAndCommand[1], workspace, workspace, Map.of(), List.of()));
        Thread.sleep(60_000);
    }
}
