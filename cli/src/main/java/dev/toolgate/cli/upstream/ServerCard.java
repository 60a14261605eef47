package dev.toolgate.cli.upstream;

import dev.toolgate.cli.terminal.Columns;
import dev.toolgate.cli.terminal.PrintableText;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/** MCP servers and their tools as text. */
final class ServerCard {
    static final Columns SERVERS = new Columns()
            .field("SERVER", "name")
            .cell("STATE", server -> PrintableText.of(server.at("/connection/state")))
            .cell("TOOLS", ServerCard::counts)
            .cell("FROM", server -> server.path("source").asString("").equals("settings") ? "settings" : "-")
            .cell("WHERE", ServerCard::where);

    private static final Columns TOOLS = new Columns()
            .field("TOOL", "tool_name")
            .field("STATE", "state")
            .cell(
                    "FINDINGS",
                    tool -> tool.path("findings").isEmpty()
                            ? "-"
                            : Integer.toString(tool.path("findings").size()))
            .cell("DESCRIPTION", tool -> PrintableText.of(offered(tool).at("/definition/description")));

    private ServerCard() {}

    /** A server with its tools, and the details of those that wait for agreement. */
    static String of(JsonNode server) {
        StringBuilder card = new StringBuilder();
        line(card, "Server", PrintableText.of(server.path("name")));
        line(card, "Where", where(server));
        line(card, "State", PrintableText.of(server.at("/connection/state")));
        JsonNode why = server.at("/connection/message");
        if (why.isString()) {
            line(card, "Why", PrintableText.of(why));
        }
        line(card, "Capability", PrintableText.of(server.at("/settings/capability")));
        line(card, "Tools", counts(server));
        if (!server.path("tools").isEmpty()) {
            card.append('\n').append(TOOLS.table(server.path("tools"))).append('\n');
        }
        waiting(server)
                .forEach(tool -> card.append('\n').append(difference(tool)).append('\n'));
        return card.toString().stripTrailing();
    }

    /** What an operator should know about a tool before agreeing to it. */
    static String difference(JsonNode tool) {
        StringBuilder card = new StringBuilder();
        card.append(PrintableText.of(tool.path("tool_name")))
                .append(" is ")
                .append(PrintableText.of(tool.path("state")))
                .append(", hash ")
                .append(PrintableText.of(hash(tool)));
        tool.path("findings").forEach(finding -> card.append("\n  ! ")
                .append(PrintableText.of(finding.path("kind")).replace('_', ' '))
                .append(" at ")
                .append(PrintableText.of(finding.path("where")))
                .append(": ")
                .append(PrintableText.of(finding.path("excerpt"))));
        tool.path("differences").forEach(difference -> card.append("\n  ")
                .append(PrintableText.of(difference.path("where")))
                .append("\n    - ")
                .append(PrintableText.of(difference.path("before")))
                .append("\n    + ")
                .append(PrintableText.of(difference.path("after"))));
        if (tool.has("more_differences")) {
            card.append("\n  and ")
                    .append(PrintableText.of(tool.path("more_differences")))
                    .append(" more differences, which are not listed");
        }
        return card.toString();
    }

    /** The same with the whole offered definition, unless the differences from an agreed one say everything. */
    static String toAgree(JsonNode tool) {
        StringBuilder card = new StringBuilder(difference(tool));
        if (!showsEveryDifference(tool)) {
            card.append("\n  The whole definition:");
            offered(tool).path("definition").forEachEntry((field, value) -> card.append("\n  /")
                    .append(PrintableText.of(field))
                    .append("\n    + ")
                    .append(PrintableText.of(value.isString() ? value.stringValue() : value.toString())));
        }
        return card.toString();
    }

    // Texts that the gate has shortened end with an ellipsis.
    private static boolean showsEveryDifference(JsonNode tool) {
        return tool.path("agreed").isObject()
                && !tool.has("more_differences")
                && tool.path("differences")
                        .valueStream()
                        .flatMap(difference -> Stream.of(difference.path("before"), difference.path("after")))
                        .noneMatch(text -> text.asString("").endsWith("…"));
    }

    /** The tools that wait for agreement. */
    static List<JsonNode> waiting(JsonNode server) {
        return server.path("tools")
                .valueStream()
                .filter(tool ->
                        Stream.of("new", "changed").anyMatch(tool.path("state").asString("")::equals))
                .toList();
    }

    /** The hash of the definition that the server offers. */
    static String hash(JsonNode tool) {
        return offered(tool).path("hash").asString("");
    }

    private static JsonNode offered(JsonNode tool) {
        return tool.path("waiting").isObject() ? tool.path("waiting") : tool.path("agreed");
    }

    /** The number of tools in each state, without empty states. */
    static String counts(JsonNode server) {
        String counts = server.path("tool_counts").properties().stream()
                .filter(count -> count.getValue().asInt(0) > 0)
                .map(count -> count.getValue().asInt() + " " + PrintableText.of(count.getKey()))
                .collect(Collectors.joining(", "));
        return counts.isEmpty() ? "none" : counts;
    }

    private static String where(JsonNode server) {
        JsonNode settings = server.path("settings");
        return settings.path("url").isString()
                ? PrintableText.of(settings.path("url"))
                : settings.path("command").valueStream().map(PrintableText::of).collect(Collectors.joining(" "));
    }

    private static void line(StringBuilder card, String title, String value) {
        card.append(title)
                .append(':')
                .repeat(' ', 11 - title.length())
                .append(value)
                .append('\n');
    }
}
