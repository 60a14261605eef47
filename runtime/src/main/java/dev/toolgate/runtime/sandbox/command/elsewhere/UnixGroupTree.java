package dev.toolgate.runtime.sandbox.command.elsewhere;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** A tree reached through the process group that its first process leads. */
final class UnixGroupTree implements KillableTree {
    private static final Path ROOT = Path.of("/");

    private final CommandLauncher launcher;
    private final long group;

    UnixGroupTree(CommandLauncher launcher, long group) {
        this.launcher = launcher;
        this.group = group;
    }

    /** What to put before a command so that it leads a group of its own; its process id is the group's. */
    static List<String> leading() {
        return List.of("/usr/bin/perl", "-MPOSIX", "-e", "POSIX::setsid(); exec { $ARGV[0] } @ARGV or exit 127");
    }

    @Override
    public void ask() {
        signal("TERM");
    }

    @Override
    public void end() {
        signal("KILL");
    }

    @Override
    public void release() {}

    private void signal(String name) {
        try {
            // The shell's own kill, because the programs of that name disagree about negative numbers.
            launcher.start(List.of("/bin/sh", "-c", "kill -" + name + " -" + group), Map.of(), ROOT)
                    .waitFor();
        } catch (IOException e) {
            throw new IllegalStateException("The processes of a command could not be signalled", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
