package dev.toolgate.client;

import dev.toolgate.client.model.KeyInfo;
import dev.toolgate.client.model.MadeKey;
import dev.toolgate.client.model.NewKey;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Keys, which are shown once and stored hashed. */
public final class Keys {
    private static final String PATH = "/api/v1/keys";

    private final Connection connection;

    Keys(Connection connection) {
        this.connection = connection;
    }

    /** The metadata of all keys, newest first. */
    public Stream<KeyInfo> list() {
        return Pages.of(connection, PATH, KeyInfo.class);
    }

    /** The metadata of one key. */
    public KeyInfo get(String keyId) {
        return Json.read(connection.send(Request.get(Request.path(PATH, keyId))).json(), KeyInfo.class);
    }

    /** Creates a key. */
    public MadeKey create(NewKey wanted) {
        Json.Body body = new Json.Body()
                .put("role", wanted.role())
                .put("agent_id", wanted.agentId())
                .put("agents", wanted.agents().isEmpty() ? null : wanted.agents())
                .put("name", wanted.name())
                .put("expires_in", wanted.expiresIn());
        return made(Request.post(PATH, body.fields()));
    }

    /** Replaces a key; the old one stays valid for a while, such as {@code 2d}. */
    public MadeKey rotate(String keyId, String overlap) {
        return made(Request.post(Request.path(PATH, keyId, "rotate"), Map.of("overlap", overlap)));
    }

    /** Revokes a key at once. */
    public void revoke(String keyId, @Nullable String reason) {
        connection.send(Request.delete(Request.query(Request.path(PATH, keyId), "reason", reason)));
    }

    private MadeKey made(Request request) {
        JsonNode answer = connection.send(request).json();
        String key = answer.path("key").asString("");
        // The metadata keeps fields that it does not know, and the key must not be one of them.
        JsonNode info = answer instanceof ObjectNode object ? object.without("key") : answer;
        return new MadeKey(key, Json.read(info, KeyInfo.class));
    }
}
