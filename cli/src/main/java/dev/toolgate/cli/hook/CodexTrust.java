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
 * The trust entry for a hook in the settings of Codex: without it Codex skips the hook and runs the tool. A hook is
 * identified by its file and its index, and trusted while its digest matches the entry.
 */
final class CodexTrust {
    private static final Map<String, String> LABELS =
            Map.of("PreToolUse", "pre_tool_use", "PostToolUse", "post_tool_use");

    private CodexTrust() {}

    /**
     * The name of a hook in the list of trusted hooks.
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

    /** The digest of a hook: of its JSON with sorted names and with the defaults that Codex adds. */
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
