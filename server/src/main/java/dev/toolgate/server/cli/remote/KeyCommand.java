package dev.toolgate.server.cli.remote;

import dev.toolgate.core.schema.Json;
import java.io.IOException;
import java.time.Clock;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** {@code toolgate key}: with what people and programs show who they are. */
@Command(name = "key", description = "Make, list and revoke keys.", mixinStandardHelpOptions = true)
public final class KeyCommand {
    private static final Columns COLUMNS = new Columns()
            .field("KEY", "key_id")
            .field("BEGINS", "prefix")
            .field("ROLE", "role")
            .field("AGENT", "agent_id")
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
                            description = "admin, operator, auditor, orchestrator or agent.")
                    String role,
            @Option(names = "--agent", paramLabel = "AGENT", description = "Whose key it is, with the role agent.")
                    @Nullable
                    String agent,
            @Option(names = "--name", paramLabel = "TEXT", description = "What people call it.") @Nullable String name,
            @Option(names = "--for", paramLabel = "LENGTH", description = "How long it counts: 8h, 90d; else for good.")
                    @Nullable
                    String lasting)
            throws IOException {
        ObjectNode body = Json.MAPPER.createObjectNode().put("role", role);
        if (agent != null) {
            body.put("agent_id", agent);
        }
        if (name != null) {
            body.put("name", name);
        }
        if (lasting != null) {
            body.put("expires_at", Moment.after(lasting, Clock.systemUTC()).toString());
        }
        try (Api api = server.api()) {
            JsonNode made = api.send("POST", Target.api("keys"), body);
            server.output().print(made, () -> CleanText.of(made.path("key")));
            server.err()
                    .println("Keep it: it cannot be shown again. Revoke it with 'toolgate key revoke "
                            + CleanText.of(made.path("key_id")) + "'.");
            server.err().flush();
            return 0;
        }
    }

    @Command(description = "List the keys; none is shown itself.", mixinStandardHelpOptions = true)
    public int list(@Mixin ServerOptions server, @Mixin Length length) throws IOException {
        try (Api api = server.api()) {
            server.output().print(api.list(Target.api("keys"), length.most()), COLUMNS, "There are no keys.");
            return 0;
        }
    }

    @Command(description = "Revoke a key, from its next use on.", mixinStandardHelpOptions = true)
    public int revoke(
            @Mixin ServerOptions server,
            @Parameters(paramLabel = "KEY", description = "The id of the key, as 'key list' shows it.") String key)
            throws IOException {
        try (Api api = server.api()) {
            JsonNode gone = api.delete(Target.api("keys", key));
            server.output().print(gone, () -> "Key " + CleanText.of(key) + " revoked.");
            return 0;
        }
    }
}
