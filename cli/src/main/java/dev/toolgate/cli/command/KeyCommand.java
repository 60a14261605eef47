package dev.toolgate.cli.command;

import dev.toolgate.cli.client.Api;
import dev.toolgate.cli.client.RequestTarget;
import dev.toolgate.cli.client.ServerOptions;
import dev.toolgate.cli.terminal.Columns;
import dev.toolgate.cli.terminal.Length;
import dev.toolgate.cli.terminal.Moment;
import dev.toolgate.cli.terminal.PrintableText;
import dev.toolgate.core.json.Json;
import java.io.IOException;
import java.time.Clock;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** {@code toolgate key}: with what people and programs show who they are. */
@Command(name = "key", description = "Make, list, replace and revoke keys.", mixinStandardHelpOptions = true)
public final class KeyCommand {
    private static final String NEVER = "never";
    private static final Columns COLUMNS = new Columns()
            .field("KEY", "key_id")
            .field("BEGINS", "prefix")
            .field("ROLE", "role")
            .cell("AGENT", KeyCommand::agents)
            .field("NAME", "name")
            .field("STATE", "state")
            .time("EXPIRES", "expires_at")
            .time("LAST USED", "last_used_at");

    @Command(description = "Make a key and print it, this once.", mixinStandardHelpOptions = true)
    public int create(
            @Mixin ServerOptions server,
            @Option(
                            names = "--role",
                            required = true,
                            paramLabel = "ROLE",
                            description = "admin, operator, auditor, orchestrator, agent or user.")
                    String role,
            @Option(
                            names = "--agent",
                            paramLabel = "AGENT",
                            split = ",",
                            description = "Whose key it is, with the role agent; with the role user the agents to chat"
                                    + " as, separated by commas.")
                    @Nullable
                    List<String> agents,
            @Option(names = "--name", paramLabel = "TEXT", description = "What people call it.") @Nullable String name,
            @Option(
                            names = "--for",
                            paramLabel = "LENGTH",
                            description = "How long it counts: 8h, 90d, never; else as the server has set.")
                    @Nullable
                    String lasting)
            throws IOException {
        ObjectNode body = Json.MAPPER.createObjectNode().put("role", role);
        if (agents != null && role.equals("user")) {
            agents.forEach(body.putArray("agents")::add);
        } else if (agents != null) {
            body.put("agent_id", String.join(",", agents));
        }
        if (name != null) {
            body.put("name", name);
        }
        last(body, lasting);
        try (Api api = server.api()) {
            JsonNode made = api.send("POST", RequestTarget.api("keys"), body);
            server.output().print(made, () -> PrintableText.of(made.path("key")));
            server.err()
                    .println("Keep it: it cannot be shown again. " + end(made) + " Revoke it with 'toolgate key revoke "
                            + PrintableText.of(made.path("key_id")) + "'.");
            server.err().flush();
            return 0;
        }
    }

    private static String agents(JsonNode key) {
        return key.path("agents").isEmpty()
                ? PrintableText.of(key.path("agent_id"))
                : key.path("agents").valueStream().map(PrintableText::of).collect(Collectors.joining(","));
    }

    private static void last(ObjectNode body, @Nullable String lasting) {
        if (lasting == null) {
            return;
        }
        if (lasting.equals(NEVER)) {
            body.put("expires_in", NEVER);
        } else {
            body.put("expires_at", Moment.after(lasting, Clock.systemUTC()).toString());
        }
    }

    private static String end(JsonNode key) {
        return key.path("expires_at").isString()
                ? "It counts until " + PrintableText.of(key.path("expires_at")) + "."
                : "It has no end.";
    }

    @Command(
            description = "Replace a key by a new one and print that, this once; the old one counts a while longer.",
            mixinStandardHelpOptions = true)
    public int rotate(
            @Mixin ServerOptions server,
            @Parameters(paramLabel = "KEY", description = "The id of the key, as 'key list' shows it.") String key,
            @Option(
                            names = "--overlap",
                            paramLabel = "LENGTH",
                            description = "How long the old one still counts: 0s, 12h, 7d; else a day.")
                    @Nullable
                    String overlap,
            @Option(
                            names = "--for",
                            paramLabel = "LENGTH",
                            description = "How long the new one counts: 8h, 90d, never; else as the server has set.")
                    @Nullable
                    String lasting)
            throws IOException {
        ObjectNode body = Json.MAPPER.createObjectNode();
        if (overlap != null) {
            body.put("overlap", overlap);
        }
        last(body, lasting);
        try (Api api = server.api()) {
            JsonNode made = api.send("POST", RequestTarget.api("keys", key, "rotate"), body);
            server.output().print(made, () -> PrintableText.of(made.path("key")));
            server.err()
                    .println("Keep it: it cannot be shown again. " + end(made) + " The old key counts until "
                            + PrintableText.of(made.path("previous_expires_at")) + ".");
            server.err().flush();
            return 0;
        }
    }

    @Command(description = "List the keys; none is shown itself.", mixinStandardHelpOptions = true)
    public int list(@Mixin ServerOptions server, @Mixin Length length) throws IOException {
        try (Api api = server.api()) {
            server.output().print(api.list(RequestTarget.api("keys"), length.most()), COLUMNS, "There are no keys.");
            return 0;
        }
    }

    @Command(description = "Revoke a key, from its next use on.", mixinStandardHelpOptions = true)
    public int revoke(
            @Mixin ServerOptions server,
            @Parameters(paramLabel = "KEY", description = "The id of the key, as 'key list' shows it.") String key)
            throws IOException {
        try (Api api = server.api()) {
            JsonNode gone = api.delete(RequestTarget.api("keys", key));
            server.output().print(gone, () -> "Key " + PrintableText.of(key) + " revoked.");
            return 0;
        }
    }
}
