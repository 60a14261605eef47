package dev.toolgate.server.cli.remote;

import dev.toolgate.server.cli.WrongUsage;
import picocli.CommandLine.Option;

/** How much of a list is wanted. */
final class Length {
    @Option(
            names = {"-n", "--limit"},
            paramLabel = "N",
            defaultValue = "100",
            description = "At most so many; default: ${DEFAULT-VALUE}.")
    private int limit;

    int most() {
        if (limit < 1) {
            throw new WrongUsage("--limit must be at least 1");
        }
        return limit;
    }
}
