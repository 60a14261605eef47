package dev.toolgate.cli.terminal;

import picocli.CommandLine.Option;

/** How much of a list is wanted. */
public final class Length {
    @Option(
            names = {"-n", "--limit"},
            paramLabel = "N",
            defaultValue = "100",
            description = "At most so many; default: ${DEFAULT-VALUE}.")
    private int limit;

    public int most() {
        if (limit < 1) {
            throw new WrongUsage("--limit must be at least 1");
        }
        return limit;
    }
}
