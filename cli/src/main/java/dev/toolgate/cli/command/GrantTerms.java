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

/** The options for the terms of a grant. */
final class GrantTerms {
    @Option(
            names = "--if",
            paramLabel = "CEL",
            description = "Only calls that match this condition, for example 'params.path.startsWith(\"docs/\")'.")
    private @Nullable String condition;

    @Option(
            names = "--until",
            paramLabel = "TIME",
            description = "The end of the grant: 2026-12-31 or 2026-12-31T18:00.")
    private @Nullable String until;

    @Option(names = "--for", paramLabel = "LENGTH", description = "How long the grant is valid: 30m, 8h, 7d.")
    private @Nullable String lifetime;

    @Option(names = "--uses", paramLabel = "N", description = "The maximum number of calls.")
    private @Nullable Integer uses;

    @Option(names = "--approval", description = "A person must approve each call.")
    private boolean approval;

    @Option(names = "--notes", paramLabel = "TEXT", description = "A note on the grant.")
    private @Nullable String notes;

    /** Adds the options to a change. */
    void into(ObjectNode change) {
        if (until != null && lifetime != null) {
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
        if (lifetime != null) {
            change.put("expires_at", Moment.after(lifetime, Clock.systemUTC()).toString());
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

    /** The terms of a permission as text. */
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
