package dev.toolgate.cli.hook;

import dev.toolgate.cli.connect.UserFolders;
import dev.toolgate.core.json.Json;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The coding agents whose hooks can be set up: their settings files, the entries to add, and how they fail closed. */
enum HookedProgram {
    /** HTTP hooks. Claude Code runs the tool if a hook fails, unless the hook is configured to block. */
    CLAUDE_CODE("claude-code") {
        @Override
        Path file(UserFolders folders) {
            return folders.inOrBelowHome("CLAUDE_CONFIG_DIR", ".claude").resolve("settings.json");
        }

        @Override
        List<String> events() {
            return List.of("PreToolUse", "PostToolUse", "PostToolUseFailure");
        }

        @Override
        Map<String, ObjectNode> entries(GateHook hook) {
            ObjectNode asking = http(hook, 90).put("onFailure", "block");
            Map<String, ObjectNode> entries = new LinkedHashMap<>();
            String matcher = hook.matcher() == null ? "*" : hook.matcher();
            entries.put("PreToolUse", group(matcher, asking));
            entries.put("PostToolUse", group(matcher, http(hook, 30)));
            entries.put("PostToolUseFailure", group(matcher, http(hook, 30)));
            return entries;
        }

        @Override
        boolean isOurs(JsonNode group) {
            JsonNode handlers = group.path("hooks");
            return !handlers.isEmpty()
                    && handlers.valueStream()
                            .allMatch(
                                    handler -> handler.path("url").asString("").endsWith(PATH));
        }

        @Override
        Optional<String> key(JsonNode group) {
            String authorization = group.at("/hooks/0/headers/Authorization").asString("");
            return authorization.startsWith(BEARER) && !authorization.contains("$")
                    ? Optional.of(authorization.substring(BEARER.length()))
                    : Optional.empty();
        }

        @Override
        boolean needsKeyFile() {
            return false;
        }

        @Override
        Optional<String> remark() {
            return Optional.of(
                    "This needs Claude Code 2.1.295 or newer: older ones run the tool if the gate cannot be asked.");
        }

        private ObjectNode http(GateHook hook, int seconds) {
            ObjectNode handler =
                    Json.MAPPER.createObjectNode().put("type", "http").put("url", hook.url() + PATH);
            handler.putObject("headers")
                    .put("Authorization", BEARER + (hook.key() == null ? "$TOOLGATE_KEY" : hook.key()));
            if (hook.key() == null) {
                handler.putArray("allowedEnvVars").add("TOOLGATE_KEY");
            }
            return handler.put("timeout", seconds);
        }
    },
    /**
     * Commands. Codex runs the tool if a hook fails in any other way than with exit code 2, and has no option to change
     * that.
     */
    CODEX("codex") {
        @Override
        Path file(UserFolders folders) {
            return folders.inOrBelowHome("CODEX_HOME", ".codex").resolve("hooks.json");
        }

        @Override
        List<String> events() {
            return List.of("PreToolUse", "PostToolUse");
        }

        @Override
        Map<String, ObjectNode> entries(GateHook hook) throws IOException {
            Map<String, ObjectNode> entries = new LinkedHashMap<>();
            entries.put("PreToolUse", group(hook.matcher(), command(blocking(HookScript.before(this, hook)), 120)));
            entries.put("PostToolUse", group(hook.matcher(), command(HookScript.after(this, hook), 120)));
            return entries;
        }

        @Override
        boolean isOurs(JsonNode group) {
            JsonNode handlers = group.path("hooks");
            return !handlers.isEmpty()
                    && handlers.valueStream()
                            .allMatch(handler ->
                                    HookScript.runs(handler.path("command").asString(""), this));
        }

        @Override
        Optional<String> remark() {
            return Optional.of(
                    "Codex runs only hooks that are trusted: see that it lists both as such when you type /hooks.");
        }

        // Blocks however the script ends, even if it is missing; with /bin/sh, since Codex uses the user's shell.
        private static String blocking(String command) {
            return "/bin/sh -c '\"$0\" \"$@\" || { echo \"Toolgate blocked this call: its hook failed.\" >&2; exit 2; }' "
                    + command;
        }

        private ObjectNode command(String line, int seconds) {
            return Json.MAPPER
                    .createObjectNode()
                    .put("type", "command")
                    .put("command", line)
                    .put("timeout", seconds);
        }
    },
    /** Commands. Cursor runs the tool if a hook fails, unless the hook sets {@code failClosed}. */
    CURSOR("cursor") {
        @Override
        Path file(UserFolders folders) {
            return folders.home().resolve(".cursor").resolve("hooks.json");
        }

        @Override
        List<String> events() {
            return List.of("preToolUse", "postToolUse", "postToolUseFailure");
        }

        @Override
        Map<String, ObjectNode> entries(GateHook hook) throws IOException {
            Map<String, ObjectNode> entries = new LinkedHashMap<>();
            entries.put("preToolUse", entry(hook, HookScript.before(this, hook)).put("failClosed", true));
            entries.put("postToolUse", entry(hook, HookScript.after(this, hook)));
            entries.put("postToolUseFailure", entry(hook, HookScript.after(this, hook)));
            return entries;
        }

        @Override
        boolean isOurs(JsonNode entry) {
            return HookScript.runs(entry.path("command").asString(""), this);
        }

        @Override
        ObjectNode empty() {
            return Json.MAPPER.createObjectNode().put("version", 1);
        }

        private ObjectNode entry(GateHook hook, String line) {
            ObjectNode entry =
                    Json.MAPPER.createObjectNode().put("command", line).put("timeout", 120);
            return hook.matcher() == null ? entry : entry.put("matcher", hook.matcher());
        }
    };

    private static final String PATH = "/hooks/claude-code";
    private static final String BEARER = "Bearer ";

    private final String word;

    HookedProgram(String word) {
        this.word = word;
    }

    /** The file with the user's hooks. */
    abstract Path file(UserFolders folders);

    /** The events that have a hook; the one before a tool runs is the first. */
    abstract List<String> events();

    /** The entry for the list of each event. */
    abstract Map<String, ObjectNode> entries(GateHook hook) throws IOException;

    /** Whether an entry in the list of an event is a hook of a gate, this one or another. */
    abstract boolean isOurs(JsonNode entry);

    /** The key in an entry, if it has one. */
    Optional<String> key(JsonNode entry) {
        return Optional.empty();
    }

    /** Whether its hooks read the key from a file of their own. */
    boolean needsKeyFile() {
        return true;
    }

    /** A note for its user. */
    Optional<String> remark() {
        return Optional.empty();
    }

    /** Empty settings. */
    ObjectNode empty() {
        return Json.MAPPER.createObjectNode();
    }

    /** Its own tools, which are registered so that they can be granted. */
    List<OwnTool> tools() {
        return OwnTool.of(this);
    }

    /** The prefix of its tools' names in grants and records. */
    String toolPrefix() {
        return word + ":";
    }

    /** Its name on the command line. */
    @Override
    public String toString() {
        return word;
    }

    private static ObjectNode group(@Nullable String matcher, ObjectNode handler) {
        ObjectNode group = Json.MAPPER.createObjectNode();
        if (matcher != null) {
            group.put("matcher", matcher);
        }
        group.putArray("hooks").add(handler);
        return group;
    }

    /** The coding agent with this program name. */
    static Optional<HookedProgram> ofProgram(@Nullable Path program) {
        return switch (program == null ? "" : program.toString()) {
            case "claude" -> Optional.of(CLAUDE_CODE);
            case "codex" -> Optional.of(CODEX);
            default -> Optional.empty();
        };
    }
}
