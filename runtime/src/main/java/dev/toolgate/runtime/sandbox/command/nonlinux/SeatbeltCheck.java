package dev.toolgate.runtime.sandbox.command.nonlinux;

import dev.toolgate.core.tool.ToolFailure;
import dev.toolgate.runtime.sandbox.command.CommandRequest;
import dev.toolgate.runtime.sandbox.command.RunningCommand;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** Tests at start-up that a confined command can write to its workspace and cannot read outside it. */
final class SeatbeltCheck {
    private static final Duration TIMEOUT = Duration.ofSeconds(20);
    private static final String SECRET = "toolgate-canary";

    private final SeatbeltSandbox sandbox;

    SeatbeltCheck(SeatbeltSandbox sandbox) {
        this.sandbox = sandbox;
    }

    /**
     * @throws IOException if the sandbox does not confine, or does not work at all
     */
    void run() throws IOException, ToolFailure, InterruptedException {
        Path folder = Files.createTempDirectory("toolgate-check-").toRealPath();
        Path workspace = Files.createDirectory(folder.resolve("workspace"));
        Path canary = Files.writeString(folder.resolve("canary"), SECRET);
        Path made = workspace.resolve("made");
        CommandRequest attack = CommandRequest.inWholeWorkspace(
                "cat ../canary; echo made > made", workspace, workspace, Map.of("PATH", "/usr/bin:/bin"), List.of());
        try (RunningCommand command = sandbox.start(attack)) {
            boolean finished = command.waitFor(TIMEOUT).isPresent();
            command.terminate(Duration.ZERO);
            String output = new String(command.stdout().readAllBytes(), StandardCharsets.UTF_8);
            if (output.contains(SECRET)) {
                throw new IOException("sandbox-exec does not confine commands on this version of macOS");
            }
            if (!finished || !Files.exists(made)) {
                throw new IOException("sandbox-exec does not run commands on this version of macOS");
            }
        } finally {
            for (Path path : List.of(made, workspace, canary, folder)) {
                Files.deleteIfExists(path);
            }
        }
    }
}
