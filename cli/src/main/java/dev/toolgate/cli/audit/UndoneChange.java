package dev.toolgate.cli.audit;

import dev.toolgate.cli.client.Api;
import dev.toolgate.cli.client.ReasonOption;
import dev.toolgate.cli.client.RequestTarget;
import dev.toolgate.cli.terminal.PrintableText;
import dev.toolgate.cli.terminal.ResultPrinter;
import dev.toolgate.core.json.Json;
import java.io.IOException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Undoes the change of a record, or previews the undo. */
final class UndoneChange {
    private final Api api;
    private final ResultPrinter output;

    UndoneChange(Api api, ResultPrinter output) {
        this.api = api;
        this.output = output;
    }

    /** The exit code: 1 if a dry run finds that it cannot be undone. */
    int run(String id, boolean dryRun, ReasonOption reason) throws IOException {
        RequestTarget target = RequestTarget.api("audit", "logs", id, "undo");
        if (dryRun) {
            JsonNode preview = api.get(target);
            output.print(preview, () -> text(preview));
            return preview.path("undoable").asBoolean() ? 0 : 1;
        }
        ObjectNode body = Json.MAPPER.createObjectNode();
        reason.into(body);
        JsonNode done = api.send("POST", target, body);
        output.print(
                done,
                () -> done.has("result")
                        ? PrintableText.of(done.at("/result/data")) + "."
                        : "The undo waits for an approval; answer it with 'toolgate approvals'.");
        return 0;
    }

    private static String text(JsonNode preview) {
        JsonNode differences = preview.path("differences");
        boolean undoable = preview.path("undoable").asBoolean();
        StringBuilder text = new StringBuilder(
                undoable
                        ? "It can be undone with " + PrintableText.of(preview.path("tool_name")) + " ("
                                + PrintableText.of(preview.path("decision")) + ")."
                        : PrintableText.of(preview.path("reason")));
        if (undoable) {
            append(text, "What would change", differences.path("undo"));
        } else {
            append(text, "What the call changed", differences.path("change"));
            append(text, "What has changed since", differences.path("since"));
        }
        if (preview.has("differences_hidden")) {
            text.append("\n").append(PrintableText.of(preview.path("differences_hidden")));
        }
        return text.toString();
    }

    private static void append(StringBuilder text, String title, JsonNode difference) {
        if (!difference.asString("").isEmpty()) {
            text.append("\n\n").append(title).append(":\n").append(PrintableText.lines(difference.asString("")));
        }
    }
}
