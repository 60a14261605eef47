package dev.toolgate.runtime.sandbox.command.nonlinux;

import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.tool.ToolFailure;
import dev.toolgate.runtime.platform.Platform;
import dev.toolgate.runtime.sandbox.command.CommandRequest;
import dev.toolgate.runtime.sandbox.command.CommandSandbox;
import dev.toolgate.runtime.sandbox.command.Confinement;
import dev.toolgate.runtime.sandbox.command.RunningCommand;
import java.io.IOException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Runs commands on Windows in a Job Object, so that none of their processes is left over. Files and network are not
 * confined, so it is degraded. Covered by unit tests only.
 */
public final class JobObjectSandbox implements CommandSandbox {
    private final Platform platform;
    private final CommandLauncher launcher;
    private final JobObjects jobs;
    private final Set<RunningCommand> running = ConcurrentHashMap.newKeySet();

    JobObjectSandbox(Platform platform, CommandLauncher launcher, JobObjects jobs) {
        this.platform = platform;
        this.launcher = launcher;
        this.jobs = jobs;
    }

    /** The sandbox with the native functions of Windows. */
    public static JobObjectSandbox open(Platform platform) {
        return new JobObjectSandbox(platform, CommandLauncher::withProcessBuilder, new Kernel32JobObjects());
    }

    @Override
    public RunningCommand start(CommandRequest request) throws ToolFailure {
        request.view().requireWhole();
        try {
            long job = jobs.createEndingOnClose();
            RunningCommand command;
            try {
                command = startIn(job, request);
            } catch (IOException | RuntimeException | Error e) {
                jobs.close(job);
                throw e;
            }
            running.add(command);
            return command;
        } catch (IOException e) {
            throw new ToolFailure(
                    ErrorCode.TOOL_EXECUTION_FAILED,
                    "The command could not be put into a Job Object, so it was ended: " + e.getMessage());
        }
    }

    private RunningCommand startIn(long job, CommandRequest request) throws IOException {
        Process process = launcher.start(platform.shell(request.command()), request.environment(), request.cwd());
        try {
            jobs.assign(job, process.pid());
        } catch (IOException | RuntimeException | Error e) {
            JobObjectTree.taskkill(launcher, process.pid(), request.cwd());
            process.destroyForcibly();
            throw e;
        }
        return new TreeCommand(
                process, new JobObjectTree(jobs, job, launcher, process.pid(), request.cwd()), running::remove);
    }

    @Override
    public Confinement confinement() {
        return new Confinement(
                Confinement.Level.DEGRADED,
                "Job Object",
                "WARNING, DEGRADED: on Windows commands can reach every file and address their account can; only"
                        + " their processes are tracked; run Toolgate on Linux or in WSL to confine them.");
    }

    @Override
    public void close() {
        running.forEach(RunningCommand::close);
    }
}
