package dev.toolgate.runtime.sandbox.command;

import dev.toolgate.runtime.sandbox.files.DangerousPaths;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Settings of the sandbox for commands.
 *
 * @param limits resource limits of one command
 * @param dangerous files that no tool may access; commands see them empty
 * @param sharing whether commands of one workspace run concurrently
 * @param readOnlyPaths folders besides {@code /usr} that commands may read, if they exist; for example {@code /opt},
 *     unless it contains secrets
 * @param warmPerWorkspace prepared sandboxes per workspace
 * @param warmWorkspaces how many recently used workspaces have prepared sandboxes
 * @param warmFor how long an unused prepared sandbox is kept
 * @param memoryCgroup a cgroup folder delegated to this process, with the memory controller, that limits a command's
 *     memory; without one, memory use is polled
 */
public record SandboxSettings(
        CommandLimits limits,
        DangerousPaths dangerous,
        WorkspaceSharing sharing,
        List<Path> readOnlyPaths,
        int warmPerWorkspace,
        int warmWorkspaces,
        Duration warmFor,
        @Nullable Path memoryCgroup) {
    public SandboxSettings {
        readOnlyPaths = List.copyOf(readOnlyPaths);
    }

    /** Defaults for most machines. */
    public static SandboxSettings standard() {
        return new SandboxSettings(
                CommandLimits.standard(),
                DangerousPaths.standard(),
                WorkspaceSharing.SIDE_BY_SIDE,
                List.of(),
                2,
                8,
                Duration.ofMinutes(5),
                null);
    }

    public SandboxSettings withLimits(CommandLimits other) {
        return new SandboxSettings(
                other, dangerous, sharing, readOnlyPaths, warmPerWorkspace, warmWorkspaces, warmFor, memoryCgroup);
    }

    public SandboxSettings with(DangerousPaths other) {
        return new SandboxSettings(
                limits, other, sharing, readOnlyPaths, warmPerWorkspace, warmWorkspaces, warmFor, memoryCgroup);
    }

    public SandboxSettings with(WorkspaceSharing other) {
        return new SandboxSettings(
                limits, dangerous, other, readOnlyPaths, warmPerWorkspace, warmWorkspaces, warmFor, memoryCgroup);
    }

    public SandboxSettings withReadOnlyPaths(List<Path> paths) {
        return new SandboxSettings(
                limits, dangerous, sharing, paths, warmPerWorkspace, warmWorkspaces, warmFor, memoryCgroup);
    }

    public SandboxSettings withWarm(int perWorkspace, int workspaces) {
        return withWarm(perWorkspace, workspaces, warmFor);
    }

    public SandboxSettings withWarm(int perWorkspace, int workspaces, Duration unused) {
        return new SandboxSettings(
                limits, dangerous, sharing, readOnlyPaths, perWorkspace, workspaces, unused, memoryCgroup);
    }

    public SandboxSettings withMemoryCgroup(@Nullable Path folder) {
        return new SandboxSettings(
                limits, dangerous, sharing, readOnlyPaths, warmPerWorkspace, warmWorkspaces, warmFor, folder);
    }
}
