package dev.toolgate.cli.terminal;

import picocli.CommandLine.Option;

/** The option for the maximum length of a list. */
public final class ListLimit {
    @Option(
            names = {"-n", "--limit"},
            paramLabel = "N",
            defaultValue = "100",
            description = "The maximum number of entries; default: ${DEFAULT-VALUE}.")
    private int limit;

    public int max() {
        if (limit < 1) {
            throw new WrongUsage("--limit must be at least 1");
        }
        return limit;
    }
}
