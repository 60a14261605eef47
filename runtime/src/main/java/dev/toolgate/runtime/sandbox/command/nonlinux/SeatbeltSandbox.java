package dev.toolgate.runtime.sandbox.command.nonlinux;

import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.tool.ToolFailure;
import dev.toolgate.runtime.platform.Platform;
import dev.toolgate.runtime.sandbox.command.CommandRequest;
import dev.toolgate.runtime.sandbox.command.CommandSandbox;
import dev.toolgate.runtime.sandbox.command.Confinement;
import dev.toolgate.runtime.sandbox.command.RunningCommand;
import dev.toolgate.runtime.sandbox.command.TemporaryFolder;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Confines commands on macOS with {@code sandbox-exec}, and ends them by their process group. Covered by unit tests
 * only.
 */
public final class SeatbeltSandbox implements CommandSandbox {
    private final Platform platform;
    private final CommandLauncher launcher;
    private final Set<RunningCommand> running = ConcurrentHashMap.newKeySet();

    SeatbeltSandbox(Platform platform, CommandLauncher launcher) {
        this.platform = platform;
        this.launcher = launcher;
    }

    /** Opens the sandbox after testing that it confines. */
    public static SeatbeltSandbox open(Platform platform) throws IOException, ToolFailure, InterruptedException {
        if ("root".equals(System.getProperty("user.name"))) {
            throw new IOException("commands never run as root; start Toolgate as an ordinary user");
        }
        SeatbeltSandbox sandbox = new SeatbeltSandbox(platform, CommandLauncher::withProcessBuilder);
        new SeatbeltCheck(sandbox).run();
        return sandbox;
    }

    @Override
    public RunningCommand start(CommandRequest request) throws ToolFailure {
        request.view().requireWhole();
        if (!request.allowedDomains().isEmpty()) {
            throw failure("Commands have no network on macOS, so no domain can be allowed; use http_request instead");
        }
        try {
            TemporaryFolder temporary = new TemporaryFolder();
            try {
                return start(request, temporary);
            } catch (IOException | RuntimeException | Error e) {
                temporary.close();
                throw e;
            }
        } catch (IOException e) {
            throw failure("The command could not be confined, so it was not started: " + e.getMessage());
        }
    }

    private RunningCommand start(CommandRequest request, TemporaryFolder temporary) throws IOException {
        List<String> line = new ArrayList<>(UnixGroupTree.leading());
        line.addAll(
                SeatbeltProfile.arguments(request.workspace(), temporary.path(), platform.shell(request.command())));
        Map<String, String> environment = new HashMap<>(request.environment());
        environment.put("HOME", temporary.path().toString());
        environment.put("TMPDIR", temporary.path().toString());
        Process process = launcher.start(line, environment, request.cwd());
        RunningCommand command = new TreeCommand(process, new UnixGroupTree(launcher, process.pid()), closed -> {
            running.remove(closed);
            temporary.close();
        });
        running.add(command);
        return command;
    }

    @Override
    public Confinement confinement() {
        return new Confinement(
                Confinement.Level.CONFINED,
                "sandbox-exec",
                "A test at start-up could not read a file outside the workspace.");
    }

    @Override
    public void close() {
        running.forEach(RunningCommand::close);
    }

    private static ToolFailure failure(String message) {
        return new ToolFailure(ErrorCode.TOOL_EXECUTION_FAILED, message);
    }
}
