package dev.toolgate.cli;

import java.util.List;

/**
 * Runs several commands in one process, as the training run for the class cache that the build makes. Not used
 * otherwise.
 */
public final class TrainingRun {
    private TrainingRun() {}

    /**
     * @param args one command line each, split at spaces
     */
    public static void main(String[] args) {
        boolean fine = List.of(args).stream()
                .map(line -> line.split(" ", -1))
                .mapToInt(words -> ToolgateCommand.commandLine(words).execute(words))
                .allMatch(code -> code == 0);
        System.exit(fine ? 0 : 1);
    }
}
