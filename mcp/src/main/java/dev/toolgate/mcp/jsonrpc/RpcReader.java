package dev.toolgate.mcp.jsonrpc;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.core.exc.StreamReadException;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * Reads untrusted messages: one JSON object in UTF-8, of limited size, without duplicate fields or trailing content.
 * Anything else is an {@link RpcException}.
 */
public final class RpcReader {
    private final RpcLimits limits;
    private final ObjectReader json;

    public RpcReader(RpcLimits limits) {
        this.limits = limits;
        this.json = reader(limits);
    }

    private static ObjectReader reader(RpcLimits limits) {
        StreamReadConstraints constraints = StreamReadConstraints.builder()
                .maxNestingDepth(limits.maxDepth())
                .maxNumberLength(limits.maxNumberLength())
                .maxNameLength(limits.maxNameLength())
                .maxStringLength(limits.maxBytes())
                .build();
        JsonMapper mapper = JsonMapper.builder(
                        JsonFactory.builder().streamReadConstraints(constraints).build())
                .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                .enable(DeserializationFeature.FAIL_ON_READING_DUP_TREE_KEY)
                .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
                .nodeFactory(new ExactNumbers())
                .build();
        return mapper.readerFor(JsonNode.class);
    }

    /**
     * Reads one message.
     *
     * @throws RpcException if it is not a valid message; carries the message's id if that could be read
     */
    public RpcMessage read(byte[] bytes) {
        return read(bytes, 0, bytes.length);
    }

    /**
     * Reads one message from a part of an array.
     *
     * @throws RpcException if it is not a valid message; carries the message's id if that could be read
     */
    public RpcMessage read(byte[] bytes, int offset, int length) {
        if (length > limits.maxBytes()) {
            throw RpcErrorCode.INVALID_REQUEST.exception(
                    "The message has " + length + " bytes, more than the " + limits.maxBytes() + " that are accepted.");
        }
        requireUtf8(bytes, offset, length);
        return message(tree(bytes, offset, length));
    }

    private JsonNode tree(byte[] bytes, int offset, int length) {
        try {
            return json.readTree(bytes, offset, length);
        } catch (StreamConstraintsException tooMuch) {
            throw RpcErrorCode.PARSE_ERROR.exception("The JSON exceeds the limits: at most " + limits.maxDepth()
                    + " levels, numbers of " + limits.maxNumberLength() + " digits and names of "
                    + limits.maxNameLength() + " characters.");
        } catch (StreamReadException malformed) {
            throw RpcErrorCode.PARSE_ERROR.exception(
                    "The message is not valid JSON" + place(malformed.getLocation()) + ".");
        } catch (JacksonException refused) {
            throw RpcErrorCode.PARSE_ERROR.exception(
                    "The JSON has a duplicate field or trailing content" + place(refused.getLocation()) + ".");
        }
    }

    private RpcMessage message(JsonNode node) {
        if (node.isMissingNode()) {
            throw RpcErrorCode.PARSE_ERROR.exception("The message is empty.");
        }
        if (node.isArray()) {
            throw RpcErrorCode.INVALID_REQUEST.exception("Batches are not supported; send every message separately.");
        }
        if (!(node instanceof ObjectNode object)) {
            throw RpcErrorCode.INVALID_REQUEST.exception("A message must be a JSON object.");
        }
        JsonNode idNode = object.get("id");
        RpcId id = idNode == null ? null : RpcId.read(idNode);
        JsonNode version = object.get("jsonrpc");
        if (version == null || !version.isString() || !version.stringValue().equals("2.0")) {
            throw invalid(id, "The field jsonrpc must be \"2.0\".");
        }
        JsonNode method = object.get("method");
        return method == null ? response(object, idNode, id) : request(object, method, idNode, id);
    }

    private RpcMessage request(ObjectNode object, JsonNode method, @Nullable JsonNode idNode, @Nullable RpcId id) {
        if (object.has("result") || object.has("error")) {
            throw invalid(id, "A message with a method must have neither result nor error.");
        }
        if (idNode != null && id == null) {
            throw invalid(
                    null,
                    "An id must be an integer of at most 64 bits or a string of at most " + RpcId.MAX_LENGTH
                            + " characters.");
        }
        if (!method.isString()
                || method.stringValue().isEmpty()
                || method.stringValue().length() > limits.maxMethodLength()) {
            throw invalid(id, "A method must be a string of 1 to " + limits.maxMethodLength() + " characters.");
        }
        JsonNode params = object.get("params");
        if (params != null && !params.isObject()) {
            throw invalid(id, "The params of a message must be an object.");
        }
        ObjectNode fields = (ObjectNode) params;
        return id == null
                ? new RpcMessage.Notification(method.stringValue(), fields)
                : new RpcMessage.Request(id, method.stringValue(), fields);
    }

    private static RpcMessage response(ObjectNode object, @Nullable JsonNode idNode, @Nullable RpcId id) {
        JsonNode result = object.get("result");
        JsonNode error = object.get("error");
        if (result == null && error == null) {
            throw invalid(id, "A message must have a method, a result or an error.");
        }
        if (result != null && error != null) {
            throw invalid(id, "A response must have either a result or an error.");
        }
        if (id == null && idNode != null && !idNode.isNull()) {
            throw invalid(null, "The id of a response must be that of a request.");
        }
        if (error != null) {
            return new RpcMessage.Failure(id, error(error, id));
        }
        if (id == null || !(result instanceof ObjectNode fields)) {
            throw invalid(id, "A response must have the id of its request and a result that is an object.");
        }
        return new RpcMessage.Result(id, fields);
    }

    private static RpcError error(JsonNode error, @Nullable RpcId id) {
        JsonNode code = error.get("code");
        JsonNode message = error.get("message");
        if (code == null
                || !code.isIntegralNumber()
                || !code.canConvertToInt()
                || message == null
                || !message.isString()) {
            throw invalid(id, "An error must have an integer code and a message.");
        }
        return new RpcError(code.intValue(), message.stringValue(), error.get("data"));
    }

    private static RpcException invalid(@Nullable RpcId id, String message) {
        return new RpcException(RpcErrorCode.INVALID_REQUEST.error(message), id);
    }

    // The parser below would guess UTF-16 from zero bytes and let some invalid sequences pass.
    private static void requireUtf8(byte[] bytes, int offset, int length) {
        int signs = 0;
        for (int i = offset; i < offset + length; i++) {
            signs |= bytes[i];
        }
        boolean broken = false;
        if (signs < 0) {
            try {
                StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes, offset, length));
            } catch (CharacterCodingException invalid) {
                broken = true;
            }
        }
        for (int i = offset; i < Math.min(offset + length, offset + 4); i++) {
            broken |= bytes[i] == 0;
        }
        if (broken) {
            throw RpcErrorCode.PARSE_ERROR.exception("The message is not valid UTF-8.");
        }
    }

    private static String place(@Nullable TokenStreamLocation location) {
        return location == null || location.getLineNr() < 1
                ? ""
                : " (line " + location.getLineNr() + ", column " + location.getColumnNr() + ")";
    }
}
