package dev.toolgate.cli.hook;

import dev.toolgate.cli.client.Api;
import dev.toolgate.cli.client.Key;
import dev.toolgate.cli.client.RequestTarget;
import dev.toolgate.cli.client.ServerOptions;
import dev.toolgate.cli.connect.AgentKeys;
import dev.toolgate.cli.connect.UserFolders;
import dev.toolgate.cli.terminal.Confirmation;
import dev.toolgate.cli.terminal.PrintableText;
import dev.toolgate.cli.terminal.WrongUsage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/** {@code toolgate hooks install}: installs the hooks of a coding agent, and removes them. */
@Command(
        name = "install",
        description =
                "Make the gate the hook of a coding agent, so that each use of its own tools needs a permit: shows"
                        + " what changes in its settings, asks, makes a key for its agent, registers its tools and writes.",
        mixinStandardHelpOptions = true)
public final class HooksInstallCommand implements Callable<Integer> {
    private static final int NOT_DONE = 1;

    @Mixin
    private ServerOptions server = new ServerOptions();

    @Parameters(paramLabel = "CLIENT", description = "claude-code, codex or cursor.", converter = HookedWord.class)
    private HookedProgram client = HookedProgram.CLAUDE_CODE; // always given: a required parameter

    @Option(
            names = "--agent",
            paramLabel = "AGENT",
            description = "The agent whose grants apply, added if there is none; default: the client's name.")
    private @Nullable String agent;

    @Option(
            names = "--agent-key",
            paramLabel = "FILE",
            description = "A file with a key of the agent, instead of making one; no other key is needed then.")
    private @Nullable Path agentKey;

    @Option(
            names = "--for",
            paramLabel = "LENGTH",
            description = "How long the key is valid: 8h, 90d, never; default: the server's setting.")
    private @Nullable String lifetime;

    @Option(
            names = "--matcher",
            paramLabel = "PATTERN",
            description = "The tools to ask about, in the client's own syntax; default: all.")
    private @Nullable String matcher;

    @Option(
            names = "--skip-gate-tools",
            description =
                    "Do not ask about tools of the MCP server 'toolgate', as 'toolgate connect' sets it up: the gate"
                            + " decides about them when they are called.")
    private boolean skipsGateTools;

    @Option(
            names = "--file",
            paramLabel = "FILE",
            description = "Another file than the client's own for this user, such as a project's or the machine's.")
    private @Nullable Path file;

    @Option(names = "--remove", description = "Remove what was written, and revoke the key.")
    private boolean remove;

    @Option(
            names = {"-y", "--yes"},
            description = "Do not ask.")
    private boolean yes;

    @Override
    public Integer call() throws IOException {
        HookSettings settings = new HookSettings(client, file, UserFolders.ofThisMachine());
        return remove ? remove(settings) : install(settings);
    }

    private int install(HookSettings settings) throws IOException {
        String name = agent == null ? client.toString() : agent;
        Optional<String> present = given().or(() -> still(settings, name));
        String key = present.orElse(SettingsChange.KEY);
        GateHook hook =
                new GateHook(server.address().url(), key, client.needsKeyFile() ? keyFile(name) : null, matcher());
        List<SettingsChange> changes = settings.install(hook, server.address().ca());
        if (changes.stream().noneMatch(SettingsChange::changesAnything)) {
            server.out().println("Nothing to change: the gate is the hook of " + client + " already.");
            return 0;
        }
        if (!agreed(changes)) {
            return NOT_DONE;
        }
        Optional<String> replaced = settings.key().filter(old -> !old.equals(key));
        if (present.isPresent()) {
            make(changes, key);
        } else {
            makeWithNewKey(changes, name);
        }
        if (replaced.isPresent()) {
            revoke(replaced.get());
        }
        server.out()
                .println("Written. From its next start on, " + client + " asks the gate before each use of a tool.");
        say("Its tools are granted as '" + client.toolPrefix() + "NAME', for example: toolgate grant "
                + PrintableText.of(name) + " " + client.toolPrefix()
                + client.tools().getFirst().name());
        client.remark().ifPresent(this::say);
        return 0;
    }

    private @Nullable String matcher() {
        if (!skipsGateTools) {
            return matcher;
        }
        if (matcher != null || client == HookedProgram.CURSOR) {
            throw new WrongUsage(
                    "--skip-gate-tools is itself a matcher, for claude-code and codex; Cursor does not report"
                            + " the server of a tool");
        }
        return GateHook.allButGateTools();
    }

    private Optional<String> given() throws IOException {
        if (agentKey == null) {
            return Optional.empty();
        }
        if (lifetime != null) {
            throw new WrongUsage("--for is for a key that is made; --agent-key gives one");
        }
        return Optional.of(Key.find(agentKey).text());
    }

    /** The key of an earlier installation, if it is still one of this agent. */
    private Optional<String> still(HookSettings settings, String name) {
        try {
            Optional<String> key = settings.key();
            if (key.isEmpty()) {
                return key;
            }
            try (Api api = new Api(server.address(), new Key(key.get()))) {
                JsonNode holder = api.get(RequestTarget.api("whoami"));
                return key.filter(_ -> holder.path("agent_id").asString("").equals(name));
            }
        } catch (IOException unknown) {
            return Optional.empty(); // creating a new one reports the problem
        }
    }

    private Path keyFile(String name) {
        return UserFolders.ofThisMachine()
                .applicationSettings()
                .resolve("toolgate")
                .resolve("hooks")
                .resolve(client + "-" + name.replaceAll("[^A-Za-z0-9._-]", "_") + ".curl");
    }

    private boolean agreed(List<SettingsChange> changes) throws IOException {
        for (SettingsChange change : changes) {
            if (change.changesAnything()) {
                server.out().println(PrintableText.lines(change.shown()));
            }
        }
        if (yes || isConfirmed()) {
            return true;
        }
        server.out().println("Nothing was changed.");
        return false;
    }

    // Scripts may answer, too: unlike the definition of a server's tool, what is written here is known in advance.
    private boolean isConfirmed() throws IOException {
        String question = "Write this?";
        Optional<Boolean> answer = Confirmation.atTerminal(server.out(), question);
        return answer.isPresent() ? answer.get() : Confirmation.fromInput(server.out(), question);
    }

    private void makeWithNewKey(List<SettingsChange> changes, String name) throws IOException {
        try (Api api = server.api()) {
            AgentKeys keys = new AgentKeys(api);
            if (keys.addAgent(name)) {
                say("Agent " + PrintableText.of(name) + " added. It may use nothing yet.");
            }
            register(api);
            JsonNode key = keys.create(name, "hook of " + client, lifetime);
            try {
                make(changes, key.path("key").asString(""));
            } catch (IOException unwritten) {
                keys.revoke(key.path("key_id").asString("")); // it was not written anywhere
                throw unwritten;
            }
            say("Revoke its key with 'toolgate key revoke " + PrintableText.of(key.path("key_id"))
                    + "', or with --remove.");
        }
    }

    private static void make(List<SettingsChange> changes, String key) throws IOException {
        for (SettingsChange change : changes) {
            change.make(key);
        }
    }

    /** Tools that are registered already stay as they are. */
    private void register(Api api) throws IOException {
        RequestTarget all = RequestTarget.api("tools", "external");
        Set<String> known = api.get(all)
                .valueStream()
                .map(tool -> tool.path("name").asString(""))
                .collect(Collectors.toSet());
        for (OwnTool tool : client.tools()) {
            String name = client.toolPrefix() + tool.name();
            if (!known.contains(name)) {
                api.send("PUT", RequestTarget.api("tools", "external", name), tool.registration());
            }
        }
    }

    private int remove(HookSettings settings) throws IOException {
        Optional<String> key = settings.key();
        List<SettingsChange> changes = settings.remove();
        if (changes.stream().noneMatch(SettingsChange::changesAnything)) {
            server.out().println("Nothing to remove: the gate is not a hook of " + client + ".");
            return 0;
        }
        if (!agreed(changes)) {
            return NOT_DONE;
        }
        make(changes, "");
        server.out().println("Removed. From its next start on, " + client + " uses its tools without the gate.");
        if (key.isPresent()) {
            revoke(key.get());
        }
        return 0;
    }

    // Best effort: the written changes stay even if this fails.
    private void revoke(String key) {
        try (Api api = server.api()) {
            AgentKeys keys = new AgentKeys(api);
            Optional<String> id = keys.find(key);
            if (id.isPresent()) {
                keys.revoke(id.get());
                say("The key that it had is revoked.");
                return;
            }
        } catch (IOException unable) {
            say("toolgate: " + unable.getMessage());
        }
        say("Its former key was not revoked; find it with 'toolgate key list' and revoke it with"
                + " 'toolgate key revoke'.");
    }

    private void say(String sentence) {
        server.err().println(sentence);
        server.err().flush();
    }
}
