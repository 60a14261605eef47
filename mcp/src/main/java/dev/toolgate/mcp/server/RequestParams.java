package dev.toolgate.mcp.server;

import dev.toolgate.mcp.jsonrpc.RpcErrorCode;
import dev.toolgate.mcp.jsonrpc.RpcException;
import dev.toolgate.mcp.protocol.MetaKeys;
import dev.toolgate.mcp.server.offer.InputAnswers;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Reads the parameters of a request; an invalid one is an {@code INVALID_PARAMS} error that names the field. */
public final class RequestParams {
    private static final long MAX_TTL_MILLIS = Duration.ofDays(365).toMillis();

    /** The maximum length of a URI that is kept, in characters. */
    static final int MAX_URI_LENGTH = 2048;

    private final ObjectNode params;

    public RequestParams(@Nullable ObjectNode params) {
        this.params = params == null ? JsonNodeFactory.instance.objectNode() : params;
    }

    /** All parameters; must not be modified. */
    ObjectNode tree() {
        return params;
    }

    /** The metadata; an empty object if there is none. */
    public ObjectNode meta() {
        return object(MetaKeys.META);
    }

    /** A required string. */
    public String text(String field) {
        String text = optionalText(field);
        if (text == null) {
            throw invalid(field, "a string");
        }
        return text;
    }

    /** The URI of something that the client subscribes to, which is kept. */
    String subscribedUri() {
        String uri = text("uri");
        if (uri.length() > MAX_URI_LENGTH) {
            throw invalid("uri", "a string of at most " + MAX_URI_LENGTH + " characters");
        }
        return uri;
    }

    /** A string; null if absent. */
    public @Nullable String optionalText(String field) {
        JsonNode value = params.get(field);
        if (value == null || value.isNull()) {
            return null;
        }
        if (!value.isString()) {
            throw invalid(field, "a string");
        }
        return value.stringValue();
    }

    /** An object; empty if absent. */
    public ObjectNode object(String field) {
        JsonNode value = params.get(field);
        if (value == null || value.isNull()) {
            return JsonNodeFactory.instance.objectNode();
        }
        if (!(value instanceof ObjectNode object)) {
            throw invalid(field, "an object");
        }
        return object;
    }

    /** The client's answers to earlier questions, in the modern era. */
    InputAnswers answers() {
        return params.has("inputResponses") || params.has("requestState")
                ? new InputAnswers(responses(), optionalText("requestState"))
                : InputAnswers.NONE;
    }

    /** The answers to questions by their keys. */
    Map<String, JsonNode> responses() {
        Map<String, JsonNode> responses = new LinkedHashMap<>();
        for (Map.Entry<String, JsonNode> entry : object("inputResponses").properties()) {
            if (!entry.getValue().isObject()) {
                throw invalid("inputResponses", "an object of objects");
            }
            responses.put(entry.getKey(), entry.getValue());
        }
        return responses;
    }

    /** How long the client wants a task to be kept; null if not given. */
    @Nullable
    Duration taskTtl() {
        JsonNode ttl = object("task").path("ttl");
        return ttl.isNumber()
                ? Duration.ofMillis((long) Math.clamp(ttl.doubleValue(), 0, (double) MAX_TTL_MILLIS))
                : null;
    }

    private static RpcException invalid(String field, String expected) {
        return RpcErrorCode.INVALID_PARAMS.exception("The parameter " + field + " must be " + expected + ".");
    }
}
