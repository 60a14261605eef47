package dev.toolgate.runtime.sandbox.command.bubblewrap;

import dev.toolgate.core.tool.ToolFailure;
import dev.toolgate.runtime.platform.Account;
import dev.toolgate.runtime.sandbox.command.CommandLimits;
import dev.toolgate.runtime.sandbox.command.CommandRequest;
import dev.toolgate.runtime.sandbox.command.RunningCommand;
import dev.toolgate.runtime.sandbox.command.SandboxSettings;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

/** A workspace, a folder outside it owned by the same account, and methods to run commands confined and unconfined. */
final class SandboxFixture implements AutoCloseable {
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    final Account account = pickAccount();
    final Path base;
    final Path workspace;
    final Path outside;
    private final List<Process> victims = new ArrayList<>();

    record Result(int exit, String out, String err, Optional<String> endReason) {}

    SandboxFixture() throws IOException {
        base = Files.createTempDirectory("toolgate-attack-").toRealPath();
        Files.setPosixFilePermissions(base, PosixFilePermissions.fromString("rwxr-xr-x"));
        workspace = folder(base.resolve("workspace"));
        outside = folder(base.resolve("outside"));
    }

    static boolean runsAsRoot() {
        try {
            return Launch.currentUid() == 0;
        } catch (ToolFailure impossible) {
            throw new AssertionError(impossible);
        }
    }

    static Account pickAccount() {
        try {
            int uid = Launch.currentUid();
            int gid = (int) Files.getAttribute(Path.of("/proc/self"), "unix:gid");
            return uid == 0 ? new Account("nobody", 65534, 65534) : new Account("user", uid, gid);
        } catch (ToolFailure | IOException impossible) {
            throw new AssertionError(impossible);
        }
    }

    /** A folder that belongs to the account. */
    Path folder(Path path) throws IOException {
        return changeOwner(Files.createDirectories(path));
    }

    /** A file that belongs to the account. */
    Path file(Path path, String content) throws IOException {
        folder(Objects.requireNonNull(path.getParent()));
        return changeOwner(Files.writeString(path, content));
    }

    private Path changeOwner(Path path) throws IOException {
        if (runsAsRoot()) {
            Files.setAttribute(path, "unix:uid", account.uid());
            Files.setAttribute(path, "unix:gid", account.gid());
        }
        return path;
    }

    /** Low limits, so that attacks on them are cheap. */
    static SandboxSettings smallSettings() {
        long mib = 1 << 20;
        return SandboxSettings.standard()
                .withLimits(
                        new CommandLimits(48, 192 * mib, 256 * mib, 64 * mib, 256, Duration.ofSeconds(20), 16 * mib));
    }

    BubblewrapSandbox sandbox(SandboxSettings settings) throws ToolFailure {
        return BubblewrapSandbox.open(_ -> account, settings, domains -> {
            throw new AssertionError("No proxy was expected for " + domains);
        });
    }

    CommandRequest request(String command) {
        return CommandRequest.inWholeWorkspace(command, workspace, workspace, Map.of(), List.of());
    }

    Result confined(BubblewrapSandbox sandbox, String command) throws ToolFailure, InterruptedException {
        return run(sandbox, request(command));
    }

    static Result run(BubblewrapSandbox sandbox, CommandRequest request) throws ToolFailure, InterruptedException {
        try (RunningCommand running = sandbox.start(request)) {
            CompletableFuture<String> out = reading(running.stdout());
            CompletableFuture<String> err = reading(running.stderr());
            running.stdin().close();
            OptionalInt exit = running.waitFor(TIMEOUT);
            running.terminate(Duration.ZERO);
            return new Result(
                    exit.orElseThrow(() -> new AssertionError("It did not end: " + request.command())),
                    out.join(),
                    err.join(),
                    running.endReason());
        } catch (IOException closed) {
            throw new UncheckedIOException(closed);
        }
    }

    /** Runs the command as the same account without a sandbox, to prove that the attack works. */
    Result unconfined(String command) throws IOException, InterruptedException {
        Process process = asAccount("/bin/sh", "-c", command).start();
        CompletableFuture<String> out = reading(process.getInputStream());
        CompletableFuture<String> err = reading(process.getErrorStream());
        process.getOutputStream().close();
        int exit = process.waitFor();
        return new Result(exit, out.join(), err.join(), Optional.empty());
    }

    ProcessBuilder asAccount(String... line) {
        List<String> whole = new ArrayList<>();
        if (runsAsRoot()) {
            whole.addAll(
                    List.of("setpriv", "--reuid=" + account.uid(), "--regid=" + account.gid(), "--clear-groups", "--"));
        }
        whole.addAll(List.of(line));
        return new ProcessBuilder(whole).directory(workspace.toFile());
    }

    /** A process of the account outside the sandbox, like the server or its database; ended by {@link #close}. */
    Process victim(Map<String, String> environment, String... line) throws IOException {
        ProcessBuilder builder = asAccount(line)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .redirectOutput(base.resolve("victim-" + victims.size()).toFile());
        builder.environment().putAll(environment);
        Process victim = builder.start();
        victims.add(victim);
        return victim;
    }

    /** The processes on this machine with a marker in their arguments. */
    static List<Long> processesMarked(String mark) throws IOException {
        List<Long> found = new ArrayList<>();
        try (DirectoryStream<Path> processes = Files.newDirectoryStream(Path.of("/proc"), "[0-9]*")) {
            for (Path process : processes) {
                try {
                    String line = Files.readString(process.resolve("cmdline"), StandardCharsets.ISO_8859_1);
                    if (line.contains(mark)) {
                        found.add(Long.parseLong(process.getFileName().toString()));
                    }
                } catch (IOException gone) {
                    // The process has ended.
                }
            }
        }
        return found;
    }

    private static CompletableFuture<String> reading(InputStream stream) {
        return CompletableFuture.supplyAsync(
                () -> {
                    try {
                        return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
                    } catch (IOException closed) {
                        return "";
                    }
                },
                task -> Thread.ofVirtual().start(task));
    }

    @Override
    public void close() throws IOException {
        victims.forEach(Process::destroyForcibly);
        try (Stream<Path> files = Files.walk(base)) {
            for (Path path : files.sorted((a, b) -> b.compareTo(a)).toList()) {
                Files.deleteIfExists(path);
            }
        }
    }
}
