package dev.toolgate.runtime.sandbox.command.degraded;

import dev.toolgate.runtime.platform.Account;
import dev.toolgate.runtime.sandbox.command.CommandRequest;
import dev.toolgate.runtime.sandbox.command.RunningCommand;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A workspace, and a folder outside it that file permissions alone would leave open to the command. */
final class DegradedFixture implements AutoCloseable {
    static final Account ACCOUNT = new Account("nobody", 65534, 65534);
    static final boolean ROOT = Libc.isRoot();

    final DegradedSandbox sandbox;
    final Path workspace;
    final Path outside;

    DegradedFixture(Path folder) throws IOException {
        this(folder, Landlock.version());
    }

    DegradedFixture(Path folder, int landlock) throws IOException {
        sandbox = new DegradedSandbox(_ -> ACCOUNT, landlock);
        open(folder, "rwxr-xr-x");
        workspace = open(Files.createDirectory(folder.toRealPath().resolve("workspace")), "rwxr-xr-x");
        outside = open(Files.createDirectory(folder.toRealPath().resolve("outside")), "rwxrwxrwx");
        if (ROOT) {
            Files.setAttribute(workspace, "unix:uid", ACCOUNT.uid());
            Files.setAttribute(outside, "unix:uid", ACCOUNT.uid());
        }
    }

    record Result(int exit, String out, String err) {}

    /** A file outside the workspace that any account may read and write. */
    Path victim(String text) throws IOException {
        return open(Files.writeString(outside.resolve("victim"), text), "rw-rw-rw-");
    }

    RunningCommand start(String command) throws Exception {
        return sandbox.start(request(command));
    }

    CommandRequest request(String command) {
        return CommandRequest.inWholeWorkspace(
                command, workspace, workspace, Map.of("PATH", "/usr/bin:/bin", "GREETING", "hello"), List.of());
    }

    Result run(String command) throws Exception {
        try (RunningCommand running = start(command)) {
            running.stdin().close();
            int exit = running.waitFor(Duration.ofMinutes(1)).orElseThrow();
            return new Result(
                    exit,
                    text(running.stdout().readAllBytes()),
                    text(running.stderr().readAllBytes()));
        }
    }

    /** Runs the command as the same account without the sandbox. */
    Result runUnconfined(String command) throws Exception {
        List<String> line = new ArrayList<>();
        if (ROOT) {
            line.addAll(List.of("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"));
        }
        line.addAll(List.of("/bin/sh", "-c", command));
        Process process = new ProcessBuilder(line).directory(workspace.toFile()).start();
        String out = text(process.getInputStream().readAllBytes());
        String err = text(process.getErrorStream().readAllBytes());
        return new Result(process.waitFor(), out, err);
    }

    @Override
    public void close() {
        sandbox.close();
    }

    private static Path open(Path path, String permissions) throws IOException {
        return Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(permissions));
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
