package dev.toolgate.cli.command;

import dev.toolgate.cli.terminal.Moment;
import dev.toolgate.cli.terminal.PrintableText;
import dev.toolgate.cli.terminal.WrongUsage;
import java.time.Clock;
import java.time.ZoneId;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** On what terms a tool is granted. */
final class GrantTerms {
    @Option(
            names = "--if",
            paramLabel = "CEL",
            description = "Only calls of which this is true, for example 'params.path.startsWith(\"docs/\")'.")
    private @Nullable String condition;

    @Option(names = "--until", paramLabel = "TIME", description = "Until then: 2026-12-31 or 2026-12-31T18:00.")
    private @Nullable String until;

    @Option(names = "--for", paramLabel = "LENGTH", description = "For so long from now on: 30m, 8h, 7d.")
    private @Nullable String lasting;

    @Option(names = "--uses", paramLabel = "N", description = "For so many calls.")
    private @Nullable Integer uses;

    @Option(names = "--approval", description = "A person must approve each call.")
    private boolean approval;

    @Option(names = "--notes", paramLabel = "TEXT", description = "A remark that stays with the grant.")
    private @Nullable String notes;

    /** Adds what was given to a change. */
    void into(ObjectNode change) {
        if (until != null && lasting != null) {
            throw new WrongUsage("give either --until or --for, not both");
        }
        if (condition != null) {
            change.put("condition", condition);
        }
        if (until != null) {
            change.put(
                    "expires_at",
                    Moment.parse(until, Clock.system(ZoneId.systemDefault())).toString());
        }
        if (lasting != null) {
            change.put("expires_at", Moment.after(lasting, Clock.systemUTC()).toString());
        }
        if (uses != null) {
            change.put("max_uses", uses);
        }
        if (approval) {
            change.put("requires_approval", true);
        }
        if (notes != null) {
            change.put("notes", notes);
        }
    }

    /** The terms of a permission, for people. */
    static String of(JsonNode permission) {
        StringBuilder terms = new StringBuilder();
        if (permission.path("requires_approval").asBoolean(false)) {
            terms.append("each call approved");
        }
        if (permission.path("max_uses").isNumber()) {
            add(terms, permission.path("uses").asInt(0) + " uses of ", permission.path("max_uses"));
        }
        add(terms, "until ", permission.path("expires_at"));
        add(terms, "if ", permission.path("condition"));
        add(terms, "note: ", permission.path("notes"));
        return terms.isEmpty() ? "-" : terms.toString();
    }

    private static void add(StringBuilder terms, String word, JsonNode value) {
        if (!value.isMissingNode() && !value.isNull()) {
            terms.append(terms.isEmpty() ? "" : ", ").append(word).append(PrintableText.of(value));
        }
    }
}
