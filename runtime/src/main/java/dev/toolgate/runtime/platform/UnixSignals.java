package dev.toolgate.runtime.platform;

import java.util.List;

/** Signals to whole process groups, as Linux and macOS share them. */
final class UnixSignals {
    private UnixSignals() {}

    /** The command that sends a signal to every process of a group, named by its leader. */
    static List<String> toGroup(String signal, long leader) {
        // Groups 0 and 1 would be our own group and, negated, every process there is.
        if (leader <= 1) {
            throw new IllegalArgumentException("No tree of ours starts with process " + leader + ".");
        }
        return List.of("/bin/kill", "-" + signal, "--", "-" + leader);
    }
}
