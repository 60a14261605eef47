package dev.toolgate.cli.command;

import dev.toolgate.cli.client.Api;
import dev.toolgate.cli.client.ReasonOption;
import dev.toolgate.cli.client.Refusal;
import dev.toolgate.cli.client.RequestTarget;
import dev.toolgate.cli.client.ServerOptions;
import dev.toolgate.cli.terminal.Columns;
import dev.toolgate.cli.terminal.ListLimit;
import dev.toolgate.cli.terminal.PrintableText;
import dev.toolgate.core.json.Json;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** {@code toolgate agents}: administers agents. */
@Command(name = "agents", description = "List, add, show, trust and remove agents.", mixinStandardHelpOptions = true)
public final class AgentsCommand {
    private static final Columns COLUMNS = new Columns()
            .field("AGENT", "agent_id")
            .field("NAME", "name")
            .field("TRUST", "trust_level")
            .field("DESCRIPTION", "description")
            .time("SINCE", "created_at");

    private static final int CONFLICT = 409;

    @Command(description = "List the agents.", mixinStandardHelpOptions = true)
    public int list(@Mixin ServerOptions server, @Mixin ListLimit limit) throws IOException {
        try (Api api = server.api()) {
            JsonNode agents = api.list(RequestTarget.api("agents"), limit.max());
            server.output()
                    .print(agents, COLUMNS, "There are no agents yet; add one with 'toolgate agents add AGENT'.");
            return 0;
        }
    }

    @Command(description = "Add an agent; it may use nothing until a tool is granted.", mixinStandardHelpOptions = true)
    public int add(
            @Mixin ServerOptions server,
            @Parameters(paramLabel = "AGENT", description = "Its id.") String agent,
            @Option(names = "--name", paramLabel = "TEXT", description = "Its display name.") @Nullable String name,
            @Option(names = "--description", paramLabel = "TEXT", description = "What it is for.") @Nullable
                    String description,
            @Option(
                            names = "--template",
                            paramLabel = "TEMPLATE",
                            description = "Grant it the tools of this template at once.")
                    @Nullable
                    String template,
            @Option(
                            names = "--trust",
                            paramLabel = "LEVEL",
                            description = "supervised, guided (default) or autonomous; for conversations.")
                    @Nullable
                    String trust,
            @Mixin ReasonOption reason)
            throws IOException {
        ObjectNode body = Json.MAPPER.createObjectNode().put("agent_id", agent);
        putIfGiven(body, "name", name);
        putIfGiven(body, "description", description);
        putIfGiven(body, "template", template);
        putIfGiven(body, "trust_level", trust);
        reason.into(body);
        try (Api api = server.api()) {
            JsonNode made = api.send("POST", RequestTarget.api("agents"), body);
            server.output().print(made, () -> "Agent " + PrintableText.of(agent) + " added.");
            return 0;
        } catch (Refusal refused) {
            return isThere(server, agent, refused);
        }
    }

    /** Adding an existing agent succeeds without a change; any other error is reported. */
    private static int isThere(ServerOptions server, String agent, Refusal refused) throws IOException {
        if (refused.status() != CONFLICT) {
            throw refused;
        }
        try (Api api = server.api()) {
            JsonNode there = api.get(RequestTarget.api("agents", agent));
            server.output()
                    .print(there, () -> "Agent " + PrintableText.of(agent) + " exists already; nothing was changed.");
            return 0;
        } catch (Refusal notThere) {
            refused.addSuppressed(notThere);
            throw refused;
        }
    }

    @Command(
            description = "Set an agent's trust level: supervised, guided or autonomous.",
            mixinStandardHelpOptions = true)
    public int trust(
            @Mixin ServerOptions server,
            @Parameters(paramLabel = "AGENT", description = "Its id.") String agent,
            @Parameters(paramLabel = "LEVEL", description = "supervised, guided or autonomous.") String level)
            throws IOException {
        ObjectNode body = Json.MAPPER.createObjectNode().put("trust_level", level);
        try (Api api = server.api()) {
            JsonNode changed = api.send("PATCH", RequestTarget.api("agents", agent), body);
            server.output()
                    .print(
                            changed,
                            () -> "Agent " + PrintableText.of(agent) + " is " + PrintableText.of(level) + " now.");
            return 0;
        }
    }

    @Command(description = "Show one agent.", mixinStandardHelpOptions = true)
    public int show(
            @Mixin ServerOptions server, @Parameters(paramLabel = "AGENT", description = "Its id.") String agent)
            throws IOException {
        try (Api api = server.api()) {
            JsonNode found = api.get(RequestTarget.api("agents", agent));
            server.output()
                    .print(
                            found,
                            () -> COLUMNS.table(Json.MAPPER.createArrayNode().add(found)));
            return 0;
        }
    }

    @Command(
            description = "Remove an agent and everything granted to it; its audit records stay.",
            mixinStandardHelpOptions = true)
    public int remove(
            @Mixin ServerOptions server,
            @Parameters(paramLabel = "AGENT", description = "Its id.") String agent,
            @Mixin ReasonOption reason)
            throws IOException {
        try (Api api = server.api()) {
            JsonNode gone = api.delete(reason.into(RequestTarget.api("agents", agent)));
            server.output().print(gone, () -> "Agent " + PrintableText.of(agent) + " removed.");
            return 0;
        }
    }

    private static void putIfGiven(ObjectNode body, String field, @Nullable String value) {
        if (value != null) {
            body.put(field, value);
        }
    }
}
