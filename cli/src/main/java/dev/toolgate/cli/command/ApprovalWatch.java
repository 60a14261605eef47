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

/** Prints questions as they are asked and answered, one on each line. */
public final class ApprovalWatch {
    /** What is sent twice is sent soon: so many lines are enough to know it by. */
    public static final int REMEMBERED = 2000;

    private final Api api;
    private final ResultPrinter output;
    private final LinkedHashSet<String> printed = new LinkedHashSet<>();

    ApprovalWatch(Api api, ResultPrinter output) {
        this.api = api;
        this.output = output;
    }

    /**
     * Prints what waits, oldest first, and then what happens until the server or the reader ends it.
     *
     * @throws IOException when the server ends it
     */
    void follow(int most) throws IOException {
        // The stream first: what is asked while the list is read is then in one of them or in both.
        try (ServerEvents events = new ServerEvents(api.open(RequestTarget.api("approvals", "stream")))) {
            ArrayNode open = api.list(RequestTarget.api("approvals").with("state", "pending"), most);
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
