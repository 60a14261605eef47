package dev.toolgate.cli.command;

import dev.toolgate.cli.client.Api;
import dev.toolgate.cli.client.ReasonOption;
import dev.toolgate.cli.client.ServerOptions;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/** {@code toolgate grant}: grants tools to an agent. */
@Command(
        name = "grant",
        description = "Grant tools to an agent, effective from its next call.",
        mixinStandardHelpOptions = true,
        footer = {
            "",
            "Examples:",
            "  toolgate grant writer file_read file_list",
            "  toolgate grant writer file_write --if 'params.path.startsWith(\"docs/\")' --for 8h"
        })
public final class GrantCommand implements Callable<Integer> {
    @Mixin
    private ServerOptions server = new ServerOptions();

    @Mixin
    private GrantTerms terms = new GrantTerms();

    @Mixin
    private ReasonOption reason = new ReasonOption();

    @Parameters(index = "0", paramLabel = "AGENT", description = "The agent's id.")
    private String agent = "";

    @Parameters(index = "1..*", arity = "1..*", paramLabel = "TOOL", description = "The tools.")
    private List<String> tools = List.of();

    @Override
    public Integer call() throws IOException {
        Changes changes = Changes.ofAgent(agent, tools);
        try (Api api = server.api()) {
            JsonNode changed = changes.make(api, change -> terms.into(change.put("allowed", true)), reason);
            server.output().print(changed, () -> "Granted to " + changes.about() + ".");
            server.warn(changed.path("warnings"));
            return 0;
        }
    }
}
