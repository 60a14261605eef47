package dev.toolgate.mcp.jsonrpc;

import java.io.ByteArrayOutputStream;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Writes messages as UTF-8 on one line. */
public final class RpcWriter {
    private static final JsonMapper MAPPER = JsonMapper.shared();
    private static final int TYPICAL_SIZE = 512;

    private RpcWriter() {}

    /**
     * The bytes of a message, without a line end.
     *
     * @throws RpcException if it is nested too deeply
     */
    public static byte[] bytes(RpcMessage message) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(TYPICAL_SIZE);
        try (JsonGenerator json = MAPPER.createGenerator(out)) {
            json.writeStartObject();
            json.writeStringProperty("jsonrpc", "2.0");
            switch (message) {
                case RpcMessage.Request request -> {
                    id(json, request.id());
                    json.writeStringProperty("method", request.method());
                    tree(json, "params", request.params());
                }
                case RpcMessage.Notification notification -> {
                    json.writeStringProperty("method", notification.method());
                    tree(json, "params", notification.params());
                }
                case RpcMessage.Result result -> {
                    id(json, result.id());
                    tree(json, "result", result.result());
                }
                case RpcMessage.Failure failure -> failure(json, failure);
            }
            json.writeEndObject();
        } catch (JacksonException unwritable) {
            throw RpcErrorCode.INTERNAL_ERROR.exception("The message is nested too deeply to be written as JSON.");
        }
        return out.toByteArray();
    }

    private static void failure(JsonGenerator json, RpcMessage.Failure failure) {
        RpcId id = failure.id();
        if (id != null) { // left out rather than null: the schemas of MCP allow no null
            id(json, id);
        }
        json.writeObjectPropertyStart("error");
        json.writeNumberProperty("code", failure.error().code());
        json.writeStringProperty("message", failure.error().message());
        tree(json, "data", failure.error().data());
        json.writeEndObject();
    }

    private static void id(JsonGenerator json, RpcId id) {
        switch (id) {
            case RpcId.Text text -> json.writeStringProperty("id", text.value());
            case RpcId.Numeric number -> json.writeNumberProperty("id", number.value());
        }
    }

    private static void tree(JsonGenerator json, String name, @Nullable JsonNode tree) {
        if (tree != null) {
            json.writeName(name);
            json.writeTree(tree);
        }
    }
}
