package dev.toolgate.runtime.sandbox.command.nonlinux;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Ends a process tree by signalling the process group of its first process. */
final class UnixGroupTree implements KillableTree {
    private static final Path ROOT = Path.of("/");

    private final CommandLauncher launcher;
    private final long group;

    UnixGroupTree(CommandLauncher launcher, long group) {
        this.launcher = launcher;
        this.group = group;
    }

    /** The command prefix that makes a command lead its own group; its process id is the group id. */
    static List<String> leading() {
        return List.of("/usr/bin/perl", "-MPOSIX", "-e", "POSIX::setsid(); exec { $ARGV[0] } @ARGV or exit 127");
    }

    @Override
    public void terminate() {
        signal("TERM");
    }

    @Override
    public void kill() {
        signal("KILL");
    }

    @Override
    public void release() {}

    private void signal(String name) {
        try {
            // The shell's built-in kill, because kill programs differ in their handling of negative numbers.
            launcher.start(List.of("/bin/sh", "-c", "kill -" + name + " -" + group), Map.of(), ROOT)
                    .waitFor();
        } catch (IOException e) {
            throw new IllegalStateException("The processes of a command could not be signalled", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
