package dev.toolgate.cli.client;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import tools.jackson.databind.node.ObjectNode;

/** The reason for a change, which the history keeps. */
public final class Why {
    @Option(names = "--reason", paramLabel = "TEXT", description = "Why; kept in the history of changes.")
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
