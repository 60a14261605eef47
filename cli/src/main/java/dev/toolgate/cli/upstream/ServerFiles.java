package dev.toolgate.cli.upstream;

import dev.toolgate.core.json.Json;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.core.JacksonException;
import tools.jackson.core.json.JsonReadFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Reads the files in which other programs configure MCP servers. */
final class ServerFiles {
    private static final long MAX_BYTES = 1 << 20;

    // VS Code allows comments and a comma at the end.
    private static final JsonMapper MAPPER = Json.MAPPER
            .rebuild()
            .enable(JsonReadFeature.ALLOW_JAVA_COMMENTS, JsonReadFeature.ALLOW_TRAILING_COMMA)
            .build();

    private ServerFiles() {}

    /**
     * The servers of a file, in its order.
     *
     * @throws IOException if it is not such a file
     */
    static List<ImportedServer> read(Path file) throws IOException {
        if (!Files.isRegularFile(file)) {
            throw new IOException("there is no file " + file);
        }
        if (Files.size(file) > MAX_BYTES) {
            throw new IOException("the file " + file + " is larger than 1 MB; check that it is the right one");
        }
        JsonNode whole;
        try {
            whole = MAPPER.readTree(Files.readString(file));
        } catch (JacksonException malformed) {
            throw new IOException("the file " + file + " is not JSON: " + malformed.getOriginalMessage(), malformed);
        }
        for (String key : List.of("mcpServers", "servers")) {
            if (whole.path(key) instanceof ObjectNode servers) {
                List<ImportedServer> found = new ArrayList<>();
                servers.forEachEntry((name, server) -> found.add(ofClient(name, server)));
                return found;
            }
        }
        if (whole.path("packages").isArray() || whole.path("remotes").isArray()) {
            return List.of(ofRegistry(whole));
        }
        throw new IOException("the file " + file
                + " has neither mcpServers, servers, packages nor remotes; is it a .mcp.json or a server.json?");
    }

    private static ImportedServer ofClient(String name, JsonNode server) {
        String type = server.path("type").asString("");
        if (type.equals("sse")) {
            return ImportedServer.unusable(
                    name, "it uses HTTP+SSE, which MCP has deprecated; use the server's address for Streamable HTTP");
        }
        String url = server.path("url")
                .asString(
                        server.path("httpUrl").asString(server.path("serverUrl").asString("")));
        List<String> command = new ArrayList<>();
        if (server.path("command").isString()) {
            command.add(server.path("command").stringValue());
            server.path("args").forEach(word -> command.add(word.asString("")));
        }
        if (url.isEmpty() && command.isEmpty()) {
            return ImportedServer.unusable(name, "it has neither a command nor a url");
        }
        return url.isEmpty()
                ? new ImportedServer(name, null, command, texts(server.path("env")), Map.of(), List.of(), null)
                : new ImportedServer(name, url, List.of(), Map.of(), texts(server.path("headers")), List.of(), null);
    }

    private static Map<String, String> texts(JsonNode object) {
        Map<String, String> texts = new LinkedHashMap<>();
        object.properties()
                .forEach(field -> texts.put(field.getKey(), field.getValue().asString("")));
        return texts;
    }

    private static ImportedServer ofRegistry(JsonNode server) {
        String name = server.path("name").asString("server");
        for (JsonNode remote : server.path("remotes")) {
            if (remote.path("type").asString("").equals("streamable-http")) {
                return new ImportedServer(
                        name,
                        remote.path("url").asString(""),
                        List.of(),
                        Map.of(),
                        inputs(remote.path("headers")),
                        List.of(),
                        null);
            }
        }
        for (JsonNode offered : server.path("packages")) {
            String identifier = offered.path("identifier").asString("");
            String version = offered.path("version").asString("");
            List<String> command = new ArrayList<>();
            switch (offered.path("registryType").asString("")) {
                case "npm" ->
                    command.addAll(List.of("npx", "-y", version.isEmpty() ? identifier : identifier + "@" + version));
                case "pypi" ->
                    command.addAll(List.of("uvx", version.isEmpty() ? identifier : identifier + "==" + version));
                default -> {
                    continue;
                }
            }
            arguments(command, offered.path("packageArguments"));
            return new ImportedServer(
                    name,
                    null,
                    command,
                    inputs(offered.path("environmentVariables")),
                    Map.of(),
                    registry(offered.path("registryBaseUrl").asString("")),
                    null);
        }
        return ImportedServer.unusable(
                name, "it is offered neither over Streamable HTTP nor as a package of npm or PyPI");
    }

    /** The host that the package is downloaded from when the server starts, if the file names it. */
    private static List<String> registry(String url) {
        try {
            String host = new URI(url).getHost();
            return host == null ? List.of() : List.of(host);
        } catch (URISyntaxException malformed) {
            return List.of();
        }
    }

    private static void arguments(List<String> command, JsonNode arguments) {
        for (JsonNode argument : arguments) {
            String value =
                    argument.path("value").asString(argument.path("default").asString(""));
            if (argument.path("type").asString("").equals("named")) {
                command.add(argument.path("name").asString(""));
            }
            if (!value.isEmpty()) {
                command.add(value);
            }
        }
    }

    /** Variables or headers of server.json: secret ones have no value, and refer to the secret of that name. */
    private static Map<String, String> inputs(JsonNode inputs) {
        Map<String, String> texts = new LinkedHashMap<>();
        for (JsonNode input : inputs) {
            String name = input.path("name").asString("");
            String value = input.path("value").asString(input.path("default").asString(""));
            if (input.path("isSecret").asBoolean(false) || value.contains("{")) {
                String scheme = value.startsWith("Bearer ") ? "Bearer " : "";
                texts.put(name, scheme + "${" + name.replaceAll("[^A-Za-z0-9_]", "_") + "}");
            } else if (!value.isEmpty()) {
                texts.put(name, value);
            }
        }
        return texts;
    }
}
