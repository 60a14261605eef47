package dev.toolgate.cli.command;

import dev.toolgate.cli.client.Api;
import dev.toolgate.cli.client.RequestTarget;
import dev.toolgate.cli.client.ServerOptions;
import dev.toolgate.cli.terminal.Columns;
import dev.toolgate.cli.terminal.ListLimit;
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

/** {@code toolgate key}: administers keys. */
@Command(name = "key", description = "Create, list, rotate and revoke keys.", mixinStandardHelpOptions = true)
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

    @Command(description = "Create a key and print it, only this once.", mixinStandardHelpOptions = true)
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
                            description =
                                    "The key's agent, for the role agent; for the role user the agents to chat as,"
                                            + " separated by commas.")
                    @Nullable
                    List<String> agents,
            @Option(names = "--name", paramLabel = "TEXT", description = "Its display name.") @Nullable String name,
            @Option(
                            names = "--for",
                            paramLabel = "LENGTH",
                            description = "How long it is valid: 8h, 90d, never; default: the server's setting.")
                    @Nullable
                    String lifetime)
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
        last(body, lifetime);
        try (Api api = server.api()) {
            JsonNode made = api.send("POST", RequestTarget.api("keys"), body);
            server.output().print(made, () -> PrintableText.of(made.path("key")));
            server.err()
                    .println("Save it: it cannot be shown again. " + end(made) + " Revoke it with 'toolgate key revoke "
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

    private static void last(ObjectNode body, @Nullable String lifetime) {
        if (lifetime == null) {
            return;
        }
        if (lifetime.equals(NEVER)) {
            body.put("expires_in", NEVER);
        } else {
            body.put("expires_at", Moment.after(lifetime, Clock.systemUTC()).toString());
        }
    }

    private static String end(JsonNode key) {
        return key.path("expires_at").isString()
                ? "It is valid until " + PrintableText.of(key.path("expires_at")) + "."
                : "It never expires.";
    }

    @Command(
            description = "Rotate a key: print a new one, only this once; the old one stays valid for a while.",
            mixinStandardHelpOptions = true)
    public int rotate(
            @Mixin ServerOptions server,
            @Parameters(paramLabel = "KEY", description = "The id of the key, as 'key list' shows it.") String key,
            @Option(
                            names = "--overlap",
                            paramLabel = "LENGTH",
                            description = "How long the old one stays valid: 0s, 12h, 7d; default: a day.")
                    @Nullable
                    String overlap,
            @Option(
                            names = "--for",
                            paramLabel = "LENGTH",
                            description =
                                    "How long the new one is valid: 8h, 90d, never; default: the server's setting.")
                    @Nullable
                    String lifetime)
            throws IOException {
        ObjectNode body = Json.MAPPER.createObjectNode();
        if (overlap != null) {
            body.put("overlap", overlap);
        }
        last(body, lifetime);
        try (Api api = server.api()) {
            JsonNode made = api.send("POST", RequestTarget.api("keys", key, "rotate"), body);
            server.output().print(made, () -> PrintableText.of(made.path("key")));
            server.err()
                    .println("Save it: it cannot be shown again. " + end(made) + " The old key is valid until "
                            + PrintableText.of(made.path("previous_expires_at")) + ".");
            server.err().flush();
            return 0;
        }
    }

    @Command(description = "List the keys, without the keys themselves.", mixinStandardHelpOptions = true)
    public int list(@Mixin ServerOptions server, @Mixin ListLimit limit) throws IOException {
        try (Api api = server.api()) {
            server.output().print(api.list(RequestTarget.api("keys"), limit.max()), COLUMNS, "There are no keys.");
            return 0;
        }
    }

    @Command(description = "Revoke a key, effective from its next use.", mixinStandardHelpOptions = true)
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
