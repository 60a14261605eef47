package dev.toolgate.runtime.sandbox.command;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How commands are confined.
 *
 * @param limits what one command may use
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
        return new SandboxSettings(CommandLimits.standard(), List.of(), 2, 8, Duration.ofMinutes(5), null);
    }

    public SandboxSettings withLimits(CommandLimits other) {
        return new SandboxSettings(other, readOnlyPaths, warmPerWorkspace, warmWorkspaces, warmFor, memoryCgroup);
    }

    public SandboxSettings withReadOnlyPaths(List<Path> paths) {
        return new SandboxSettings(limits, paths, warmPerWorkspace, warmWorkspaces, warmFor, memoryCgroup);
    }

    public SandboxSettings withWarm(int perWorkspace, int workspaces) {
        return new SandboxSettings(limits, readOnlyPaths, perWorkspace, workspaces, warmFor, memoryCgroup);
    }

    public SandboxSettings withMemoryCgroup(@Nullable Path folder) {
        return new SandboxSettings(limits, readOnlyPaths, warmPerWorkspace, warmWorkspaces, warmFor, folder);
    }
}
