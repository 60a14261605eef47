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

/** The coding agents whose hooks can be set up: where their settings are, what belongs there, and how they fail closed. */
enum HookedProgram {
    /** HTTP hooks. Claude Code runs the tool if a hook fails, unless the hook says that it blocks. */
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
    /** Commands. Codex runs the tool if a hook fails in any other way than with exit code 2, and has no switch for it. */
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

        // Whatever ends the script, and even if it is gone; in a shell of its own, since Codex uses that of the user.
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
    /** Commands. Cursor runs the tool if a hook fails, unless the hook has its switch for that. */
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

    /** What belongs into the list of each event. */
    abstract Map<String, ObjectNode> entries(GateHook hook) throws IOException;

    /** Whether an entry in the list of an event is one of these, of whichever gate. */
    abstract boolean isOurs(JsonNode entry);

    /** The key in an entry, if it has one. */
    Optional<String> key(JsonNode entry) {
        return Optional.empty();
    }

    /** Whether its hooks read the key from a file of their own. */
    boolean needsKeyFile() {
        return true;
    }

    /** What its user must know. */
    Optional<String> remark() {
        return Optional.empty();
    }

    /** Settings without anything in them. */
    ObjectNode empty() {
        return Json.MAPPER.createObjectNode();
    }

    /** Its own tools, which are registered so that they can be granted. */
    List<OwnTool> tools() {
        return OwnTool.of(this);
    }

    /** The name of its tools before their own names, in grants and records. */
    String toolPrefix() {
        return word + ":";
    }

    /** The word for it on the command line. */
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

    /** The one that a program of this name is. */
    static Optional<HookedProgram> ofProgram(@Nullable Path program) {
        return switch (program == null ? "" : program.toString()) {
            case "claude" -> Optional.of(CLAUDE_CODE);
            case "codex" -> Optional.of(CODEX);
            default -> Optional.empty();
        };
    }
}
