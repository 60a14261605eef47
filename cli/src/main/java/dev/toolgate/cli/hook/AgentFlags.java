package dev.toolgate.cli.hook;

import dev.toolgate.cli.connect.TomlSettings;
import dev.toolgate.cli.terminal.WrongUsage;
import dev.toolgate.core.json.Json;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import tools.jackson.databind.node.ObjectNode;

/**
 * The options that give a coding agent the gate's tools and hooks for one run. They contain no key, only the names of
 * the environment variables that hold it, since every user of the machine can see the arguments of a program.
 *
 * @param url of the gate, without a path
 */
record AgentFlags(String url, Hooks hooks) {
    /** The path under which Codex looks up the trust in hooks that are given by options. */
    private static final String CODEX_OPTIONS = "/<session-flags>/config.toml";

    enum Hooks {
        ON,
        OFF
    }

    /** The command with these options added, if its program is a supported agent. */
    List<String> added(List<String> command) throws IOException {
        Optional<HookedProgram> client =
                HookedProgram.ofProgram(Path.of(command.getFirst()).getFileName());
        if (client.isEmpty()) {
            return command;
        }
        List<String> all = new ArrayList<>(command.subList(0, 1));
        all.addAll(client.get() == HookedProgram.CODEX ? ofCodex() : ofClaudeCode(command));
        all.addAll(command.subList(1, command.size()));
        return all;
    }

    private GateHook hook() {
        return GateHook.ofEnvironment(url, GateHook.allButGateTools());
    }

    private List<String> ofClaudeCode(List<String> command) throws IOException {
        ObjectNode tools = Json.MAPPER.createObjectNode();
        tools.putObject("mcpServers")
                .putObject("toolgate")
                .put("type", "http")
                .put("url", url + "/mcp")
                .putObject("headers")
                .put("Authorization", "Bearer ${TOOLGATE_KEY}");
        if (hooks == Hooks.OFF) {
            return List.of("--mcp-config=" + tools);
        }
        if (command.stream().anyMatch(word -> word.equals("--bare") || word.split("=", 2)[0].equals("--settings"))) {
            throw new WrongUsage("Claude Code would not have the gate's hooks with '--settings' or '--bare'; put your"
                    + " settings into a file that it reads, or give --no-hooks");
        }
        ObjectNode settings = Json.MAPPER.createObjectNode();
        ObjectNode events = settings.putObject("hooks");
        HookedProgram.CLAUDE_CODE.entries(hook()).forEach((event, entry) -> events.putArray(event)
                .add(entry));
        return List.of("--mcp-config=" + tools, "--settings", settings.toString());
    }

    private List<String> ofCodex() throws IOException {
        List<String> options = new ArrayList<>(List.of(
                "-c",
                "mcp_servers.toolgate.url=" + TomlSettings.quoted(url + "/mcp"),
                "-c",
                "mcp_servers.toolgate.bearer_token_env_var=\"TOOLGATE_KEY\""));
        if (hooks == Hooks.OFF) {
            return options;
        }
        Map<String, ObjectNode> entries = HookedProgram.CODEX.entries(hook());
        entries.forEach((event, entry) -> options.addAll(List.of("-c", "hooks." + event + "=[" + toml(entry) + "]")));
        options.addAll(List.of(
                "-c",
                entries.entrySet().stream()
                        .map(entry -> TomlSettings.quoted(CodexTrust.name(CODEX_OPTIONS, entry.getKey(), 0))
                                + "={trusted_hash="
                                + TomlSettings.quoted(CodexTrust.digest(entry.getKey(), entry.getValue())) + "}")
                        .collect(Collectors.joining(",", "hooks.state={", "}"))));
        return options;
    }

    private static String toml(ObjectNode entry) {
        return "{matcher=" + TomlSettings.quoted(entry.path("matcher").asString(""))
                + ",hooks=[{type=\"command\",command="
                + TomlSettings.quoted(entry.at("/hooks/0/command").asString(""))
                + ",timeout=" + entry.at("/hooks/0/timeout").asInt(0) + "}]}";
    }
}
