package dev.toolgate.cli.hook;

import dev.toolgate.cli.client.Api;
import dev.toolgate.cli.client.ServerOptions;
import dev.toolgate.cli.connect.AgentKeys;
import dev.toolgate.cli.terminal.PrintableText;
import dev.toolgate.cli.terminal.WrongUsage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/** {@code toolgate run}: runs an agent program with a key of its own, which is revoked when it ends. */
@Command(
        name = "run",
        description = "Run an agent program with a key of its own, which is revoked when the program ends. It is given"
                + " TOOLGATE_URL, TOOLGATE_KEY, TOOLGATE_AGENT and TOOLGATE_MCP_URL; claude and codex are given the gate's"
                + " tools and hooks too, without a change to their settings.",
        mixinStandardHelpOptions = true)
public final class RunCommand implements Callable<Integer> {
    private static final String OURS = "TOOLGATE_";

    @Mixin
    private ServerOptions server = new ServerOptions();

    @Option(
            names = "--agent",
            paramLabel = "AGENT",
            description = "The agent that the program acts as, added if there is none; default: the program's name.")
    private @Nullable String agent;

    @Option(
            names = "--for",
            paramLabel = "LENGTH",
            description = "How long the key is valid at most: 30m, 8h; default: ${DEFAULT-VALUE}.")
    private String lifetime = "12h";

    @Option(names = "--no-hooks", description = "Give claude and codex no hooks, only the gate's tools.")
    private boolean withoutHooks;

    @Parameters(paramLabel = "COMMAND", arity = "1..*", description = "The program and its arguments, after '--'.")
    private List<String> command = List.of();

    @Override
    public Integer call() throws IOException {
        Path program = Path.of(command.getFirst()).getFileName();
        String name = agent == null ? String.valueOf(program) : agent;
        AgentFlags flags =
                new AgentFlags(server.address().url(), withoutHooks ? AgentFlags.Hooks.OFF : AgentFlags.Hooks.ON);
        List<String> flagged = flags.added(command); // checked before a key is created
        try (Api api = server.api()) {
            AgentKeys keys = new AgentKeys(api);
            if (keys.addAgent(name)) {
                say("Agent " + PrintableText.of(name) + " added. It may use nothing yet; grant it a tool with"
                        + " 'toolgate grant " + PrintableText.of(name) + " TOOL'.");
            }
            AgentProgram running = AgentProgram.takingSignals();
            JsonNode key = keys.create(name, "run of " + program, limited());
            try {
                return running.run(flagged, environment(name, key.path("key").asString("")));
            } finally {
                revoke(keys, key);
            }
        }
    }

    private String limited() {
        if (lifetime.equals("never")) {
            throw new WrongUsage("the key of a run must expire; give a maximum lifetime, such as 8h");
        }
        return lifetime;
    }

    /** The environment of this process without its own settings, such as an administrator's key. */
    private Map<String, String> environment(String name, String key) {
        Map<String, String> environment = new TreeMap<>(System.getenv());
        environment.keySet().removeIf(variable -> variable.startsWith(OURS));
        environment.put("TOOLGATE_URL", server.address().url());
        environment.put("TOOLGATE_MCP_URL", server.address().url() + "/mcp");
        environment.put("TOOLGATE_AGENT", name);
        environment.put("TOOLGATE_KEY", key);
        Path ca = server.address().ca();
        if (ca != null) {
            environment.put("TOOLGATE_CA", ca.toAbsolutePath().toString());
        }
        return environment;
    }

    private void revoke(AgentKeys keys, JsonNode key) {
        try {
            keys.revoke(key.path("key_id").asString(""));
        } catch (IOException unreachable) {
            say("toolgate: the key " + PrintableText.of(key.path("key_id")) + " could not be revoked ("
                    + unreachable.getMessage() + "); it ends at " + PrintableText.of(key.path("expires_at")) + ".");
        }
    }

    private void say(String sentence) {
        server.err().println(sentence);
        server.err().flush();
    }
}
