package dev.toolgate.runtime.sandbox.command.elsewhere;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** A tree reached through its job, with {@code taskkill} for what started before the job had it. */
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

    /** Windows has no signal that a console program could answer; there is nothing to wait for politely. */
    @Override
    public void ask() {
        end();
    }

    @Override
    public void end() {
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
            // The job itself is what ends the processes; this only looks for what is not in it.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
