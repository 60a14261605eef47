package dev.toolgate.mcp.server;

import dev.toolgate.mcp.protocol.ClientCapabilities;
import dev.toolgate.mcp.protocol.Era;
import dev.toolgate.mcp.protocol.Implementation;
import dev.toolgate.mcp.protocol.LogLevel;
import dev.toolgate.mcp.protocol.Revision;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * The state of a session of the legacy era.
 *
 * @param caller the owner of the session, the only one who can use it
 * @param client the name and version of the client; null if not given
 * @param logLevel set by the client; null if it set none
 * @param resources the URIs that the client subscribed to
 */
public record SessionRecord(
        String caller,
        Revision revision,
        @Nullable Implementation client,
        ClientCapabilities capabilities,
        @Nullable LogLevel logLevel,
        Set<String> resources) {
    public SessionRecord {
        if (revision.era() != Era.LEGACY) {
            throw new IllegalArgumentException("Revision " + revision.version() + " has no sessions.");
        }
        resources = Collections.unmodifiableSet(new LinkedHashSet<>(resources));
    }

    /** A copy with another log level. */
    public SessionRecord withLogLevel(LogLevel level) {
        return new SessionRecord(caller, revision, client, capabilities, level, resources);
    }

    /** A copy with an additional subscription. */
    public SessionRecord withResource(String uri) {
        Set<String> more = new LinkedHashSet<>(resources);
        more.add(uri);
        return new SessionRecord(caller, revision, client, capabilities, logLevel, more);
    }

    /** A copy without a subscription. */
    public SessionRecord withoutResource(String uri) {
        Set<String> fewer = new LinkedHashSet<>(resources);
        fewer.remove(uri);
        return new SessionRecord(caller, revision, client, capabilities, logLevel, fewer);
    }

    /** The stored form. */
    public ObjectNode json() {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.put("caller", caller).put("revision", revision.version());
        if (client != null) {
            json.set("client", client.json());
        }
        json.set("capabilities", capabilities.json());
        if (logLevel != null) {
            json.put("logLevel", logLevel.wireName());
        }
        if (!resources.isEmpty()) {
            resources.forEach(json.putArray("resources")::add);
        }
        return json;
    }

    /** Reads the stored form; null if it is not a session of a supported revision. */
    public static @Nullable SessionRecord read(JsonNode json) {
        Revision revision = Revision.of(json.path("revision").asString(""));
        ClientCapabilities capabilities = ClientCapabilities.read(json.get("capabilities"));
        if (revision == null
                || revision.era() != Era.LEGACY
                || capabilities == null
                || !json.path("caller").isString()) {
            return null;
        }
        Set<String> resources = new LinkedHashSet<>();
        json.path("resources").forEach(uri -> resources.add(uri.asString()));
        return new SessionRecord(
                json.path("caller").stringValue(),
                revision,
                Implementation.read(json.get("client")),
                capabilities,
                LogLevel.of(json.path("logLevel").asString("")),
                resources);
    }
}
