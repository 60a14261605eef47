package dev.toolgate.cli.client;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import tools.jackson.databind.node.ObjectNode;

/** The option for the reason of a change. */
public final class ReasonOption {
    @Option(names = "--reason", paramLabel = "TEXT", description = "The reason; kept in the history of changes.")
    private @Nullable String reason;

    public void into(ObjectNode body) {
        if (reason != null) {
            body.put("reason", reason);
        }
    }

    public RequestTarget into(RequestTarget target) {
        return target.with("reason", reason);
    }
}
