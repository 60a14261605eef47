package dev.toolgate.server.mcpclient;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Real coding agents, each of which makes one turn with a scripted model. */
public final class CodingAgents {
    private static final String PROMPT = "Use the tools.";

    private CodingAgents() {}

    /**
     * Claude Code.
     *
     * @param home its home, where its own settings are
     * @param options additional arguments
     */
    public static ClientProcess claudeCode(Path home, ScriptedModel model, List<String> options) throws IOException {
        return claudeCode(home, model, Map.of(), options);
    }

    /**
     * Claude Code.
     *
     * @param home its home, where its own settings are
     * @param environment additional environment variables
     * @param options additional arguments
     */
    public static ClientProcess claudeCode(
            Path home, ScriptedModel model, Map<String, String> environment, List<String> options) throws IOException {
        return claudeCode(home, model, environment, claudeCodeCommand(), options);
    }

    /**
     * Claude Code.
     *
     * @param begin the beginning of the command line
     */
    public static ClientProcess claudeCode(
            Path home, ScriptedModel model, Map<String, String> environment, List<String> begin, List<String> options)
            throws IOException {
        List<String> command = new ArrayList<>(begin);
        command.addAll(List.of("--print", PROMPT, "--output-format", "json", "--allowedTools", "mcp__toolgate"));
        command.addAll(options);
        Map<String, String> all = new HashMap<>(environment);
        all.putAll(Map.of(
                "ANTHROPIC_BASE_URL", model.url(),
                "ANTHROPIC_API_KEY", "scripted",
                "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1",
                "DISABLE_AUTOUPDATER", "1",
                "ENABLE_TOOL_SEARCH", "false"));
        return ClientProcess.start(home, all, command);
    }

    /** The beginning of a command line of Claude Code. */
    public static List<String> claudeCodeCommand() throws IOException {
        Path installed = InstalledClients.npm("claude-code");
        // The wrapper finds the binary for this platform; install scripts, which would link it, are not run.
        return List.of(
                InstalledClients.node(),
                installed
                        .resolve("node_modules/@anthropic-ai/claude-code/cli-wrapper.cjs")
                        .toString());
    }

    /**
     * The Codex CLI.
     *
     * @param home its home, where its own settings are
     */
    public static ClientProcess codex(Path home, ScriptedModel model) throws IOException {
        return codex(home, model, Map.of(), codexCommand());
    }

    /**
     * The Codex CLI.
     *
     * @param home its home, where its own settings are
     * @param environment additional environment variables
     * @param begin the beginning of the command line, up to its subcommand
     */
    public static ClientProcess codex(
            Path home, ScriptedModel model, Map<String, String> environment, List<String> begin) throws IOException {
        List<String> command = new ArrayList<>(begin);
        command.addAll(List.of(
                "exec",
                "--skip-git-repo-check",
                "-c",
                "model_provider=\"scripted\"",
                "-c",
                "model=\"scripted\"",
                "-c",
                "model_providers.scripted={name=\"scripted\", base_url=\"" + model.url()
                        + "/v1\", wire_api=\"responses\", env_key=\"SCRIPTED_KEY\"}",
                // its own sandbox does not work in every container, and the gate is what is tested
                "--sandbox",
                "danger-full-access",
                PROMPT));
        Map<String, String> all = new HashMap<>(environment);
        all.put("SCRIPTED_KEY", "scripted");
        return ClientProcess.start(home, all, command);
    }

    /** The beginning of a command line of the Codex CLI. */
    public static List<String> codexCommand() throws IOException {
        Path installed = InstalledClients.npm("codex");
        return List.of(
                InstalledClients.node(),
                installed.resolve("node_modules/@openai/codex/bin/codex.js").toString());
    }
}
