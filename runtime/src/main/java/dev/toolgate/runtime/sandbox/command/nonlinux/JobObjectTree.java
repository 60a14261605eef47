package dev.toolgate.runtime.sandbox.command.nonlinux;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * Kills a process tree through its Job Object, and through {@code taskkill} for processes started before the
 * assignment.
 */
final class JobObjectTree implements KillableTree {
    private final JobObjects jobs;
    private final long job;
    private final CommandLauncher launcher;
    private final long pid;
    private final Path cwd;

    JobObjectTree(JobObjects jobs, long job, CommandLauncher launcher, long pid, Path cwd) {
        this.jobs = jobs;
        this.job = job;
        this.launcher = launcher;
        this.pid = pid;
        this.cwd = cwd;
    }

    /** Windows has no termination signal for console programs, so this kills. */
    @Override
    public void terminate() {
        kill();
    }

    @Override
    public void kill() {
        taskkill(launcher, pid, cwd);
        jobs.terminate(job);
    }

    @Override
    public void release() {
        jobs.close(job);
    }

    static void taskkill(CommandLauncher launcher, long pid, Path cwd) {
        try {
            launcher.start(List.of("taskkill.exe", "/T", "/F", "/PID", Long.toString(pid)), Map.of(), cwd)
                    .waitFor();
        } catch (IOException missing) {
            // The job kills its processes; taskkill only finds those outside it.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
