package dev.toolgate.cli;

import java.util.List;

/**
 * Runs several commands in one process, so that the cache of loaded classes that a build makes knows them all.
 * Nothing else has a use for it.
 */
public final class Rehearsal {
    private Rehearsal() {}

    /**
     * @param args one command each, its words separated by spaces
     */
    public static void main(String[] args) {
        boolean fine = List.of(args).stream()
                .mapToInt(line -> ToolgateCommand.commandLine().execute(line.split(" ", -1)))
                .allMatch(code -> code == 0);
        System.exit(fine ? 0 : 1);
    }
}
