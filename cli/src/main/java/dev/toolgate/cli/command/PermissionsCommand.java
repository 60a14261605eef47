package dev.toolgate.cli.command;

import dev.toolgate.cli.client.Api;
import dev.toolgate.cli.client.RequestTarget;
import dev.toolgate.cli.client.ServerOptions;
import dev.toolgate.cli.terminal.Columns;
import dev.toolgate.cli.terminal.ListLimit;
import dev.toolgate.cli.terminal.PrintableText;
import java.io.IOException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/** {@code toolgate permissions}: shows permissions and their history. */
@Command(
        name = "permissions",
        description = "Show an agent's permissions and the history of changes.",
        mixinStandardHelpOptions = true)
public final class PermissionsCommand {
    private static final Columns PERMISSIONS = new Columns()
            .field("TOOL", "tool_name")
            .field("STATE", "state")
            .cell("FROM", tool -> joined(tool, PermissionsCommand::from))
            .cell("TERMS", tool -> joined(tool, GrantTerms::of));

    private static final Columns CHANGES = new Columns()
            .time("TIME", "changed_at")
            .cell(
                    "WHO",
                    change ->
                            PrintableText.of(change.path(change.path("agent_id").isString() ? "agent_id" : "group_id")))
            .field("TOOL", "tool_name")
            .cell("BEFORE", change -> word(change.path("previous_state")))
            .cell("AFTER", change -> word(change.path("new_state")))
            .field("BY", "changed_by")
            .field("REASON", "reason");

    @Command(description = "Show what an agent may use, and from which grants.", mixinStandardHelpOptions = true)
    public int show(
            @Mixin ServerOptions server,
            @Parameters(paramLabel = "AGENT", description = "The agent's id.") String agent)
            throws IOException {
        try (Api api = server.api()) {
            JsonNode found = api.get(RequestTarget.api("agents", agent, "permissions"));
            JsonNode tools = found.path("permissions");
            server.output()
                    .print(
                            found,
                            () -> tools.isEmpty()
                                    ? PrintableText.of(agent) + " may use nothing; see 'toolgate grant --help'."
                                    : PERMISSIONS.table(tools));
            return 0;
        }
    }

    @Command(description = "List changes of permissions: who, when and why.", mixinStandardHelpOptions = true)
    public int changes(
            @Mixin ServerOptions server,
            @Option(names = "--agent", paramLabel = "AGENT", description = "Only changes of this agent.") @Nullable
                    String agent,
            @Option(names = "--group", paramLabel = "GROUP", description = "Only changes of this group.") @Nullable
                    String group,
            @Option(names = "--tool", paramLabel = "TOOL", description = "Only changes of this tool.") @Nullable
                    String tool,
            @Mixin ListLimit limit)
            throws IOException {
        RequestTarget target = RequestTarget.api("permissions", "changes")
                .with("agent_id", agent)
                .with("group_id", group)
                .with("tool_name", tool);
        try (Api api = server.api()) {
            server.output().print(api.list(target, limit.max()), CHANGES, "There are no changes yet.");
            return 0;
        }
    }

    private static String joined(JsonNode tool, Function<JsonNode, String> text) {
        return String.join(
                "; ", tool.path("sources").valueStream().map(text).distinct().toList());
    }

    private static String from(JsonNode source) {
        return source.path("group_id").isString() ? "group " + PrintableText.of(source.path("group_id")) : "itself";
    }

    private static String word(JsonNode state) {
        return state.isBoolean() ? (state.booleanValue() ? "allowed" : "refused") : "-";
    }
}
