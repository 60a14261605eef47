package dev.toolgate.runtime.sandbox.command;

import dev.toolgate.runtime.sandbox.files.DangerousPaths;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How commands are confined.
 *
 * @param limits what one command may use
 * @param dangerous files that no tool touches; commands see them empty
 * @param sharing whether commands of one workspace run side by side
 * @param readOnlyPaths folders beside {@code /usr} that commands may read, where they exist; for example
 *     {@code /opt}, unless anything secret is kept there
 * @param warmPerWorkspace sandboxes started ahead for a workspace
 * @param warmWorkspaces workspaces that have sandboxes started ahead, the latest used ones
 * @param warmFor how long an unused sandbox is kept
 * @param memoryCgroup a control group folder given to this process, with the memory controller, to
 *     limit a command's memory in; without one the memory is watched instead
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

    /** What is right for most machines. */
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
