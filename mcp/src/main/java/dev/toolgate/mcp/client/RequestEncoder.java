package dev.toolgate.mcp.client;

import dev.toolgate.mcp.client.transport.McpFailure;
import dev.toolgate.mcp.client.transport.McpFailureKind;
import dev.toolgate.mcp.protocol.ClientCapabilities;
import dev.toolgate.mcp.protocol.Implementation;
import dev.toolgate.mcp.protocol.MetaKeys;
import java.io.ByteArrayOutputStream;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.io.SerializedString;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Writes requests. The caller's trees are streamed unchanged; only the envelope is added here. */
final class RequestEncoder {
    private static final JsonMapper MAPPER = JsonMapper.shared();
    private static final int TYPICAL_SIZE = 1_024;
    private static final Set<String> OURS = Set.of(
            MetaKeys.PROGRESS_TOKEN, MetaKeys.PROTOCOL_VERSION, MetaKeys.CLIENT_INFO, MetaKeys.CLIENT_CAPABILITIES);

    private final @Nullable String modernVersion;
    private final SerializedString client;
    private final SerializedString capabilities;

    /**
     * @param modernVersion the revision, which every modern request carries; null in the legacy era
     */
    RequestEncoder(@Nullable String modernVersion, Implementation client, ClientCapabilities capabilities) {
        this.modernVersion = modernVersion;
        this.client = new SerializedString(client.json().toString());
        this.capabilities = new SerializedString(capabilities.json().toString());
    }

    /**
     * The bytes of a request.
     *
     * @param params the caller's parameters, which may have a {@code _meta}
     * @param more additional parameters, which replace the caller's of the same name
     * @param wantsProgress whether to request progress, with the request's id as the token
     */
    byte[] encode(
            long id,
            String method,
            @Nullable ObjectNode params,
            @Nullable ObjectNode more,
            CallOptions options,
            ProgressRequest wantsProgress)
            throws McpFailure {
        ByteArrayOutputStream out = new ByteArrayOutputStream(TYPICAL_SIZE);
        try (JsonGenerator json = MAPPER.createGenerator(out)) {
            json.writeStartObject();
            json.writeStringProperty("jsonrpc", "2.0");
            json.writeNumberProperty("id", id);
            json.writeStringProperty("method", method);
            json.writeObjectPropertyStart("params");
            if (params != null) {
                for (Map.Entry<String, JsonNode> field : params.properties()) {
                    if (!field.getKey().equals(MetaKeys.META) && (more == null || !more.has(field.getKey()))) {
                        json.writeName(field.getKey());
                        json.writeTree(field.getValue());
                    }
                }
            }
            if (more != null) {
                for (Map.Entry<String, JsonNode> field : more.properties()) {
                    json.writeName(field.getKey());
                    json.writeTree(field.getValue());
                }
            }
            meta(json, id, params == null ? null : params.get(MetaKeys.META), options, wantsProgress);
            json.writeEndObject();
            json.writeEndObject();
        } catch (JacksonException unwritable) {
            throw new McpFailure(
                    McpFailureKind.NOT_SENT,
                    "The request contains an unpaired surrogate and cannot be sent as UTF-8.",
                    unwritable);
        }
        return out.toByteArray();
    }

    /** Whether a call requests progress. */
    enum ProgressRequest {
        YES,
        NO
    }

    private void meta(
            JsonGenerator json,
            long id,
            @Nullable JsonNode callers,
            CallOptions options,
            ProgressRequest wantsProgress) {
        ObjectNode extra = options.meta();
        if (modernVersion == null && callers == null && extra == null && wantsProgress == ProgressRequest.NO) {
            return;
        }
        json.writeObjectPropertyStart(MetaKeys.META);
        if (callers != null) {
            fields(json, callers, extra);
        }
        if (extra != null) {
            fields(json, extra, null);
        }
        if (wantsProgress == ProgressRequest.YES) {
            json.writeNumberProperty(MetaKeys.PROGRESS_TOKEN, id);
        }
        if (modernVersion != null) {
            json.writeStringProperty(MetaKeys.PROTOCOL_VERSION, modernVersion);
            json.writeName(MetaKeys.CLIENT_INFO);
            json.writeRawValue(client);
            json.writeName(MetaKeys.CLIENT_CAPABILITIES);
            ClientCapabilities declared = options.capabilities();
            if (declared == null) {
                json.writeRawValue(capabilities);
            } else {
                json.writeTree(declared.json());
            }
        }
        json.writeEndObject();
    }

    private static void fields(JsonGenerator json, JsonNode from, @Nullable ObjectNode except) {
        for (Map.Entry<String, JsonNode> field : from.properties()) {
            if (!OURS.contains(field.getKey()) && (except == null || !except.has(field.getKey()))) {
                json.writeName(field.getKey());
                json.writeTree(field.getValue());
            }
        }
    }
}
