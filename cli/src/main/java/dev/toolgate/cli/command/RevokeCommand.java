package dev.toolgate.cli.command;

import dev.toolgate.cli.client.Api;
import dev.toolgate.cli.client.ReasonOption;
import dev.toolgate.cli.client.ServerOptions;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/** {@code toolgate revoke}: revokes grants, or denies tools explicitly. */
@Command(
        name = "revoke",
        description = "Revoke grants, effective from the agent's next call.",
        mixinStandardHelpOptions = true)
public final class RevokeCommand implements Callable<Integer> {
    @Mixin
    private ServerOptions server = new ServerOptions();

    @Mixin
    private ReasonOption reason = new ReasonOption();

    @Option(names = "--deny", description = "Deny explicitly, which overrides grants of the agent's groups.")
    private boolean deny;

    @Parameters(index = "0", paramLabel = "AGENT", description = "The agent's id.")
    private String agent = "";

    @Parameters(index = "1..*", arity = "1..*", paramLabel = "TOOL", description = "The tools.")
    private List<String> tools = List.of();

    @Override
    public Integer call() throws IOException {
        Changes changes = Changes.ofAgent(agent, tools);
        try (Api api = server.api()) {
            JsonNode changed = changes.make(api, change -> change.put(deny ? "allowed" : "clear", !deny), reason);
            server.output().print(changed, () -> (deny ? "Refused to " : "Revoked from ") + changes.about() + ".");
            return 0;
        }
    }
}
