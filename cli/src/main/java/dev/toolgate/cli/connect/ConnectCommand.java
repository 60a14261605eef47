package dev.toolgate.cli.connect;

import dev.toolgate.cli.client.Api;
import dev.toolgate.cli.client.ServerOptions;
import dev.toolgate.cli.terminal.Moment;
import dev.toolgate.cli.terminal.PrintableText;
import dev.toolgate.cli.terminal.WrongUsage;
import dev.toolgate.core.json.Json;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** {@code toolgate connect}: makes a key for an agent and sets an MCP client up with it. */
@Command(
        name = "connect",
        description = "Set an MCP client up to use the gate: make a key for its agent, print what to paste or write it"
                + " into the client's settings, and wait for its first call.",
        mixinStandardHelpOptions = true)
public final class ConnectCommand implements Callable<Integer> {
    private static final int NO_CALL = 1;

    @Mixin
    private ServerOptions server = new ServerOptions();

    @Parameters(
            paramLabel = "CLIENT",
            description = "claude-code, vscode, cursor, codex or gemini.",
            converter = ClientWord.class)
    private ClientProgram client = ClientProgram.CLAUDE_CODE; // always given: a required parameter

    @Option(
            names = "--agent",
            paramLabel = "AGENT",
            description = "The agent whose tools the client uses, added if there is none; default: the client's name.")
    private @Nullable String agent;

    @Option(names = "--write", description = "Write the entry into the client's settings instead of printing it.")
    private boolean write;

    @Option(
            names = "--file",
            paramLabel = "FILE",
            description = "With --write: another file than the client's own for this user, such as a project's.")
    private @Nullable Path file;

    @Option(
            names = "--search",
            description = "Show the client two tools only: one that finds tools, and one that calls what was found.")
    private boolean search;

    @Option(
            names = "--for",
            paramLabel = "LENGTH",
            description = "How long the key is valid: 8h, 90d, never; default: the server's setting.")
    private @Nullable String lifetime;

    @Option(names = "--wait", paramLabel = "LENGTH", description = "How long to wait for the first call; default: 15m.")
    private String wait = "15m";

    @Option(names = "--no-wait", description = "Do not wait for the first call.")
    private boolean noWait;

    @Override
    public Integer call() throws IOException {
        if (file != null && !write) {
            throw new WrongUsage("--file says where to write, so give --write too");
        }
        Duration timeout = Moment.duration(wait);
        String name = agent == null ? client.toString() : agent;
        try (Api api = server.api()) {
            AgentKeys keys = new AgentKeys(api);
            addAgent(keys, name);
            FirstCall first = FirstCall.from(api, name);
            JsonNode key = keys.create(name, "MCP client " + client, lifetime);
            GateEntry gate = new GateEntry(
                    server.address().url() + "/mcp" + (search ? "?tools=search" : ""),
                    key.path("key").asString(""));
            if (write) {
                write(gate, key);
            } else {
                print(gate, key);
            }
            if (server.address().ca() != null) {
                say("The client may not trust the server's certificate; make it trust "
                        + server.address().ca() + ".");
            }
            return noWait ? 0 : await(first, name, timeout);
        }
    }

    private void addAgent(AgentKeys keys, String name) throws IOException {
        if (keys.addAgent(name)) {
            say("Agent " + PrintableText.of(name) + " added. It may use nothing yet; grant it a tool with"
                    + " 'toolgate grant " + PrintableText.of(name) + " TOOL'.");
        }
    }

    private void print(GateEntry gate, JsonNode key) throws IOException {
        ObjectNode all = Json.MAPPER
                .createObjectNode()
                .put("client", client.toString())
                .put("url", gate.url())
                .put("paste", client.pasted(gate));
        server.output().print(all, () -> client.pasted(gate));
        say("The line contains a key, which is not shown again. " + revocation(key));
    }

    private void write(GateEntry gate, JsonNode key) throws IOException {
        Path target = file == null ? client.file(UserFolders.ofThisMachine()) : file;
        try {
            new ClientSettingsFile(target).change(settings -> client.changed(settings, gate));
        } catch (IOException unwritten) {
            revoke(key);
            throw unwritten;
        }
        ObjectNode all = Json.MAPPER
                .createObjectNode()
                .put("client", client.toString())
                .put("url", gate.url())
                .put("file", target.toString());
        server.output()
                .print(all, () -> "Written to " + PrintableText.of(target.toString()) + "; restart " + client + ".");
        say(revocation(key));
    }

    // The key was not written anywhere, so it must not stay valid.
    private void revoke(JsonNode key) throws IOException {
        try (Api api = server.api()) {
            new AgentKeys(api).revoke(key.path("key_id").asString(""));
        }
    }

    private static String revocation(JsonNode key) {
        return "Revoke it with 'toolgate key revoke " + PrintableText.of(key.path("key_id")) + "'.";
    }

    private int await(FirstCall first, String name, Duration timeout) throws IOException {
        say("Waiting for the first call of " + PrintableText.of(name) + " (" + wait + "; Ctrl-C to stop waiting).");
        Optional<JsonNode> came = first.await(timeout);
        came.ifPresentOrElse(
                record -> say("The first call came: "
                        + PrintableText.of(record.path("client")) + " called "
                        + PrintableText.of(record.path("tool_name"))
                        + (record.path("allowed").asBoolean(false) ? ", which was allowed." : ", which was denied.")),
                () -> say("No call came within " + wait + "; see that the client lists the server '" + GateEntry.NAME
                        + "', and ask it to use one of its tools."));
        return came.isPresent() ? 0 : NO_CALL;
    }

    private void say(String sentence) {
        server.err().println(sentence);
        server.err().flush();
    }
}
