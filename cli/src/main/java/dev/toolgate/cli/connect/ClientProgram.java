package dev.toolgate.cli.connect;

import dev.toolgate.core.json.Json;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Base64;
import tools.jackson.databind.node.ObjectNode;

/** The MCP clients that can be set up: the command to paste, the settings file, and the entry to add to it. */
enum ClientProgram {
    CLAUDE_CODE("claude-code") {
        @Override
        String pasted(GateEntry gate) {
            return "claude mcp add --scope user --transport http " + GateEntry.NAME + " " + quoted(gate.url())
                    + " --header " + quoted("Authorization: " + gate.authorization());
        }

        @Override
        Path file(UserFolders folders) {
            return folders.inOrBelowHome("CLAUDE_CONFIG_DIR", "").resolve(".claude.json");
        }

        @Override
        String changed(String settings, GateEntry gate) throws IOException {
            return JsonSettings.put(settings, MCP_SERVERS, GateEntry.NAME, typed(gate));
        }
    },
    VSCODE("vscode") {
        @Override
        String pasted(GateEntry gate) {
            ObjectNode entry = Json.MAPPER.createObjectNode().put("name", GateEntry.NAME);
            entry.setAll(typed(gate));
            return "code --add-mcp " + quoted(entry.toString());
        }

        @Override
        Path file(UserFolders folders) {
            return folders.applicationSettings().resolve("Code").resolve("User").resolve("mcp.json");
        }

        @Override
        String changed(String settings, GateEntry gate) throws IOException {
            return JsonSettings.put(settings, "servers", GateEntry.NAME, typed(gate));
        }
    },
    CURSOR("cursor") {
        @Override
        String pasted(GateEntry gate) {
            byte[] entry = addressed("url", gate).toString().getBytes(StandardCharsets.UTF_8);
            return "cursor://anysphere.cursor-deeplink/mcp/install?name=" + GateEntry.NAME + "&config="
                    + URLEncoder.encode(Base64.getEncoder().encodeToString(entry), StandardCharsets.UTF_8);
        }

        @Override
        Path file(UserFolders folders) {
            return folders.home().resolve(".cursor").resolve("mcp.json");
        }

        @Override
        String changed(String settings, GateEntry gate) throws IOException {
            return JsonSettings.put(settings, MCP_SERVERS, GateEntry.NAME, addressed("url", gate));
        }
    },
    CODEX("codex") {
        @Override
        String pasted(GateEntry gate) {
            // "codex mcp add" takes no key, only the name of an environment variable, which would have to stay set.
            return "mkdir -p ~/.codex; codex mcp remove " + GateEntry.NAME + "; printf '%s\\n' '' "
                    + quoted("[" + TABLE + "]") + " " + quoted(url(gate)) + " " + quoted(headers(gate))
                    + " >> ~/.codex/config.toml";
        }

        @Override
        Path file(UserFolders folders) {
            return folders.inOrBelowHome("CODEX_HOME", ".codex").resolve("config.toml");
        }

        @Override
        String changed(String settings, GateEntry gate) throws IOException {
            return TomlSettings.put(settings, TABLE, url(gate) + "\n" + headers(gate) + "\n");
        }

        private static String url(GateEntry gate) {
            return "url = " + TomlSettings.quoted(gate.url());
        }

        private static String headers(GateEntry gate) {
            return "http_headers = { Authorization = " + TomlSettings.quoted(gate.authorization()) + " }";
        }
    },
    GEMINI("gemini") {
        @Override
        String pasted(GateEntry gate) {
            return "gemini mcp add --scope user --transport http --header "
                    + quoted("Authorization: " + gate.authorization()) + " " + GateEntry.NAME + " "
                    + quoted(gate.url());
        }

        @Override
        Path file(UserFolders folders) {
            return folders.home().resolve(".gemini").resolve("settings.json");
        }

        @Override
        String changed(String settings, GateEntry gate) throws IOException {
            return JsonSettings.put(settings, MCP_SERVERS, GateEntry.NAME, addressed("httpUrl", gate));
        }
    };

    private static final String MCP_SERVERS = "mcpServers";
    private static final String TABLE = "mcp_servers." + GateEntry.NAME;

    private final String word;

    ClientProgram(String word) {
        this.word = word;
    }

    /** A shell command, or a link for a browser, that sets the client up. */
    abstract String pasted(GateEntry gate);

    /** The file with the user's own settings. */
    abstract Path file(UserFolders folders);

    /**
     * The settings with the gate's entry.
     *
     * @throws IOException if they cannot be changed without losing something
     */
    abstract String changed(String settings, GateEntry gate) throws IOException;

    /** Its name on the command line. */
    @Override
    public String toString() {
        return word;
    }

    private static ObjectNode typed(GateEntry gate) {
        ObjectNode entry = Json.MAPPER.createObjectNode().put("type", "http");
        entry.setAll(addressed("url", gate));
        return entry;
    }

    private static ObjectNode addressed(String field, GateEntry gate) {
        ObjectNode entry = Json.MAPPER.createObjectNode().put(field, gate.url());
        entry.putObject("headers").put("Authorization", gate.authorization());
        return entry;
    }

    /** Quotes an argument for a shell. */
    private static String quoted(String word) {
        return "'" + word.replace("'", "'\\''") + "'";
    }
}
