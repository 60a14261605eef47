package dev.toolgate.mcp.server;

import dev.toolgate.mcp.jsonrpc.RpcErrorCode;
import dev.toolgate.mcp.jsonrpc.RpcId;
import dev.toolgate.mcp.protocol.Era;
import dev.toolgate.mcp.protocol.MetaKeys;
import dev.toolgate.mcp.server.offer.CacheHint;
import java.io.ByteArrayOutputStream;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Writes results, with the fields that the modern era adds, without copying or changing their trees. */
final class ResultWriter {
    private static final JsonMapper MAPPER = JsonMapper.shared();
    private static final int TYPICAL_SIZE = 512;

    private final ObjectNode serverInfo;

    ResultWriter(ObjectNode serverInfo) {
        this.serverInfo = serverInfo;
    }

    /** The bytes of a response. */
    byte[] write(RpcId id, MethodResult result, Era era) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(TYPICAL_SIZE);
        try (JsonGenerator json = MAPPER.createGenerator(out)) {
            json.writeStartObject();
            json.writeStringProperty("jsonrpc", "2.0");
            json.writeName("id");
            json.writeTree(id.json());
            json.writeObjectPropertyStart("result");
            switch (era) {
                case LEGACY -> legacy(json, result.result());
                case MODERN -> modern(json, result);
            }
            json.writeEndObject();
            json.writeEndObject();
        } catch (JacksonException unwritable) {
            throw RpcErrorCode.INTERNAL_ERROR.exception("The result is nested too deeply to be written as JSON.");
        }
        return out.toByteArray();
    }

    private static void legacy(JsonGenerator json, ObjectNode result) {
        for (Map.Entry<String, JsonNode> field : result.properties()) {
            if (!field.getKey().equals("resultType")) {
                field(json, field);
            }
        }
    }

    private void modern(JsonGenerator json, MethodResult result) {
        ObjectNode tree = result.result();
        json.writeStringProperty("resultType", result.type());
        for (Map.Entry<String, JsonNode> field : tree.properties()) {
            if (!field.getKey().equals("resultType") && !field.getKey().equals(MetaKeys.META)) {
                field(json, field);
            }
        }
        CacheHint cache = result.cache();
        if (cache != null && !tree.has("ttlMs")) {
            json.writeNumberProperty("ttlMs", cache.ttl().toMillis());
        }
        if (cache != null && !tree.has("cacheScope")) {
            json.writeStringProperty("cacheScope", cache.scope().wireName());
        }
        meta(json, tree.get(MetaKeys.META));
    }

    private void meta(JsonGenerator json, @Nullable JsonNode meta) {
        json.writeObjectPropertyStart(MetaKeys.META);
        if (meta != null) {
            for (Map.Entry<String, JsonNode> field : meta.properties()) {
                if (!field.getKey().equals(MetaKeys.SERVER_INFO)) {
                    field(json, field);
                }
            }
        }
        json.writeName(MetaKeys.SERVER_INFO);
        json.writeTree(serverInfo);
        json.writeEndObject();
    }

    private static void field(JsonGenerator json, Map.Entry<String, JsonNode> field) {
        json.writeName(field.getKey());
        json.writeTree(field.getValue());
    }
}
