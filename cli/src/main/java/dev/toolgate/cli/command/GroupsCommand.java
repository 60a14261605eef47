package dev.toolgate.cli.command;

import dev.toolgate.cli.client.Api;
import dev.toolgate.cli.client.ReasonOption;
import dev.toolgate.cli.client.RequestTarget;
import dev.toolgate.cli.client.ServerOptions;
import dev.toolgate.cli.terminal.Columns;
import dev.toolgate.cli.terminal.ListLimit;
import dev.toolgate.cli.terminal.PrintableText;
import dev.toolgate.core.json.Json;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** {@code toolgate groups}: administers groups of agents. */
@Command(
        name = "groups",
        description = "Administer groups of agents that share permissions.",
        mixinStandardHelpOptions = true)
public final class GroupsCommand {
    private static final Columns COLUMNS = new Columns()
            .field("GROUP", "group_id")
            .field("MEMBERS", "member_count")
            .field("DESCRIPTION", "description");

    @Command(description = "List the groups.", mixinStandardHelpOptions = true)
    public int list(@Mixin ServerOptions server, @Mixin ListLimit limit) throws IOException {
        try (Api api = server.api()) {
            JsonNode groups = api.list(RequestTarget.api("groups"), limit.max());
            server.output()
                    .print(groups, COLUMNS, "There are no groups yet; add one with 'toolgate groups add GROUP'.");
            return 0;
        }
    }

    @Command(description = "Add a group.", mixinStandardHelpOptions = true)
    public int add(
            @Mixin ServerOptions server,
            @Parameters(paramLabel = "GROUP", description = "Its id.") String group,
            @Option(names = "--description", paramLabel = "TEXT", description = "What it is for.") @Nullable
                    String description)
            throws IOException {
        ObjectNode body = Json.MAPPER.createObjectNode().put("group_id", group);
        if (description != null) {
            body.put("description", description);
        }
        try (Api api = server.api()) {
            JsonNode made = api.send("POST", RequestTarget.api("groups"), body);
            server.output().print(made, () -> "Group " + PrintableText.of(group) + " added.");
            return 0;
        }
    }

    @Command(description = "Show the members of a group, or change them.", mixinStandardHelpOptions = true)
    public int members(
            @Mixin ServerOptions server,
            @Parameters(paramLabel = "GROUP", description = "Its id.") String group,
            @Option(names = "--add", paramLabel = "AGENT", description = "Add this agent.") @Nullable
                    List<String> added,
            @Option(names = "--remove", paramLabel = "AGENT", description = "Remove this agent.") @Nullable
                    List<String> removed,
            @Mixin ReasonOption reason)
            throws IOException {
        try (Api api = server.api()) {
            for (String agent : added == null ? List.<String>of() : added) {
                api.put(reason.into(RequestTarget.api("groups", group, "members", agent)));
            }
            for (String agent : removed == null ? List.<String>of() : removed) {
                api.delete(reason.into(RequestTarget.api("groups", group, "members", agent)));
            }
            JsonNode found = api.get(RequestTarget.api("groups", group).with("limit", 500));
            server.output()
                    .print(found, () -> PrintableText.of(found.path("members")).replace(", ", "\n"));
            return 0;
        }
    }

    @Command(description = "Grant tools to every agent of a group.", mixinStandardHelpOptions = true)
    public int grant(
            @Mixin ServerOptions server,
            @Parameters(index = "0", paramLabel = "GROUP", description = "Its id.") String group,
            @Parameters(index = "1..*", arity = "1..*", paramLabel = "TOOL", description = "The tools.")
                    List<String> tools,
            @Mixin GrantTerms terms,
            @Mixin ReasonOption reason)
            throws IOException {
        Changes changes = Changes.ofGroup(group, tools);
        try (Api api = server.api()) {
            JsonNode changed = changes.make(api, change -> terms.into(change.put("allowed", true)), reason);
            server.output().print(changed, () -> "Granted to " + changes.about() + ".");
            server.warn(changed.path("warnings"));
            return 0;
        }
    }

    @Command(description = "Revoke tools from a group.", mixinStandardHelpOptions = true)
    public int revoke(
            @Mixin ServerOptions server,
            @Parameters(index = "0", paramLabel = "GROUP", description = "Its id.") String group,
            @Parameters(index = "1..*", arity = "1..*", paramLabel = "TOOL", description = "The tools.")
                    List<String> tools,
            @Mixin ReasonOption reason)
            throws IOException {
        Changes changes = Changes.ofGroup(group, tools);
        try (Api api = server.api()) {
            JsonNode changed = changes.make(api, change -> change.put("clear", true), reason);
            server.output().print(changed, () -> "Revoked from " + changes.about() + ".");
            return 0;
        }
    }
}
