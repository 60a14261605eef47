package dev.toolgate.cli.command;

import dev.toolgate.cli.client.Api;
import dev.toolgate.cli.client.RequestTarget;
import dev.toolgate.cli.client.ServerEvents;
import dev.toolgate.cli.terminal.ResultPrinter;
import dev.toolgate.core.json.Json;
import java.io.IOException;
import java.util.LinkedHashSet;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;

/** Prints approval requests and answers as they happen, one per line. */
public final class ApprovalWatch {
    /** Duplicates arrive close together, so remembering this many lines is enough to detect them. */
    public static final int REMEMBERED = 2000;

    private final Api api;
    private final ResultPrinter output;
    private final LinkedHashSet<String> printed = new LinkedHashSet<>();

    ApprovalWatch(Api api, ResultPrinter output) {
        this.api = api;
        this.output = output;
    }

    /**
     * Prints open requests, oldest first, and then events until the stream or the output ends.
     *
     * @throws IOException when the server ends the stream
     */
    void follow(int max) throws IOException {
        // The stream is opened first, so that a request made while the list is read is in one of them or both.
        try (ServerEvents events = new ServerEvents(api.open(RequestTarget.api("approvals", "stream")))) {
            ArrayNode open = api.list(RequestTarget.api("approvals").with("state", "pending"), max);
            for (int i = open.size() - 1; i >= 0; i--) {
                print(open.get(i));
            }
            events.read(output.out(), (_, data) -> print(Json.MAPPER.readTree(data)));
        }
    }

    private void print(JsonNode approval) {
        if (!printed.add(approval.path("approval_id").asString("")
                + approval.path("state").asString(""))) {
            return;
        }
        if (printed.size() > REMEMBERED) {
            printed.removeFirst();
        }
        output.out()
                .println(
                        switch (output.form()) {
                            case JSON -> approval.toString();
                            case TEXT -> ApprovalsCommand.COLUMNS.line(approval);
                        });
        output.out().flush();
    }
}
