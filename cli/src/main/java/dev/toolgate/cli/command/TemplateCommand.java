package dev.toolgate.cli.command;

import dev.toolgate.cli.client.Api;
import dev.toolgate.cli.client.ReasonOption;
import dev.toolgate.cli.client.RequestTarget;
import dev.toolgate.cli.client.ServerOptions;
import dev.toolgate.cli.terminal.Columns;
import dev.toolgate.cli.terminal.PrintableText;
import dev.toolgate.core.json.Json;
import java.io.IOException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** {@code toolgate template}: lists and applies permission templates. */
@Command(name = "template", description = "List templates and apply one to an agent.", mixinStandardHelpOptions = true)
public final class TemplateCommand {
    private static final Columns COLUMNS =
            new Columns().field("TEMPLATE", "template_id").field("NAME", "name").field("TOOLS", "tools");

    @Command(description = "List the templates and their tools.", mixinStandardHelpOptions = true)
    public int list(@Mixin ServerOptions server) throws IOException {
        try (Api api = server.api()) {
            server.output().print(api.get(RequestTarget.api("templates")), COLUMNS, "There are no templates.");
            return 0;
        }
    }

    @Command(
            description = "Grant an agent every tool of a template that it does not have yet.",
            mixinStandardHelpOptions = true)
    public int apply(
            @Mixin ServerOptions server,
            @Parameters(paramLabel = "AGENT", description = "The agent's id.") String agent,
            @Parameters(paramLabel = "TEMPLATE", description = "The template's id or name.") String template,
            @Mixin ReasonOption reason)
            throws IOException {
        ObjectNode body = Json.MAPPER.createObjectNode().put("template", template);
        reason.into(body);
        try (Api api = server.api()) {
            JsonNode applied = api.send("POST", RequestTarget.api("agents", agent, "template"), body);
            server.output()
                    .print(
                            applied,
                            () -> "Granted to " + PrintableText.of(agent) + ": "
                                    + (applied.path("added").isEmpty()
                                            ? "nothing new"
                                            : PrintableText.of(applied.path("added")))
                                    + ".");
            return 0;
        }
    }
}
