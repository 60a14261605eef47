package dev.toolgate.cli.hook;

import dev.toolgate.cli.connect.TomlSettings;
import dev.toolgate.core.digest.Sha256;
import dev.toolgate.core.json.Json;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;

/**
 * That the user trusts a hook, as Codex notes it in its settings: without that it skips the hook, and the tool runs. A hook
 * is known by its file and its place in it, and trusted as long as its digest is the one that is noted.
 */
final class CodexTrust {
    private static final Map<String, String> LABELS =
            Map.of("PreToolUse", "pre_tool_use", "PostToolUse", "post_tool_use");

    private CodexTrust() {}

    /**
     * The name of a hook among those that are trusted.
     *
     * @param file that has the hook
     * @param index of the entry in the list of its event
     */
    static String name(String file, String event, int index) {
        return file + ":" + LABELS.get(event) + ":" + index + ":0";
    }

    /** The table of the settings for a hook. */
    static String table(Path file, String event, int index) throws IOException {
        String name = name(file.toString(), event, index);
        if (name.matches("(?s).*[#\\p{Cntrl}].*")) {
            throw new IOException("the path " + file + " cannot be written into the settings of Codex");
        }
        return "hooks.state." + TomlSettings.quoted(name);
    }

    /** The line in that table. */
    static String line(String event, JsonNode entry) {
        return "trusted_hash = " + TomlSettings.quoted(digest(event, entry)) + "\n";
    }

    /** The digest of a hook: of its description in JSON with sorted names and with what Codex fills in. */
    static String digest(String event, JsonNode entry) {
        Map<String, Object> handler = new TreeMap<>();
        handler.put("type", "command");
        handler.put("command", entry.at("/hooks/0/command").asString(""));
        handler.put("timeout", entry.at("/hooks/0/timeout").asInt(0));
        handler.put("async", false);
        Map<String, Object> hook = new TreeMap<>();
        hook.put("event_name", String.valueOf(LABELS.get(event)));
        hook.put("hooks", new Object[] {handler});
        if (entry.path("matcher").isString()) {
            hook.put("matcher", entry.path("matcher").asString());
        }
        byte[] described = Json.MAPPER.writeValueAsString(hook).getBytes(StandardCharsets.UTF_8);
        return "sha256:" + HexFormat.of().formatHex(Sha256.of(described));
    }
}
