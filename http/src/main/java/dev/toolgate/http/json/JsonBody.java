package dev.toolgate.http.json;

import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.http.error.BadRequest;
import dev.toolgate.http.error.HttpFailure;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
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

/** Parses untrusted JSON: one object in UTF-8, bounded, without duplicate fields or trailing content. */
public final class JsonBody {
    private static final int MAX_DEPTH = 200;
    private static final int MAX_NUMBER_LENGTH = 1_000;
    private static final int MAX_NAME_LENGTH = 1_000;

    private static final ObjectReader READER = reader();

    private JsonBody() {}

    private static ObjectReader reader() {
        StreamReadConstraints bounds = StreamReadConstraints.builder()
                .maxNestingDepth(MAX_DEPTH)
                .maxNumberLength(MAX_NUMBER_LENGTH)
                .maxNameLength(MAX_NAME_LENGTH)
                .build();
        JsonMapper mapper = JsonMapper.builder(
                        JsonFactory.builder().streamReadConstraints(bounds).build())
                .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                .enable(DeserializationFeature.FAIL_ON_READING_DUP_TREE_KEY)
                .nodeFactory(new FiniteNumbers())
                .build();
        return mapper.readerFor(JsonNode.class);
    }

    public static void requireJson(HttpFields headers) {
        String type = headers.get(HttpHeader.CONTENT_TYPE);
        if (type == null || !isJson(type) || headers.contains(HttpHeader.CONTENT_ENCODING)) {
            throw new HttpFailure(
                    415, ErrorCode.INVALID_REQUEST, "The body must be application/json in UTF-8, without compression.");
        }
    }

    private static boolean isJson(String type) {
        if (type.equalsIgnoreCase("application/json")) {
            return true;
        }
        int semicolon = type.indexOf(';');
        if (semicolon < 0 || !type.substring(0, semicolon).strip().equalsIgnoreCase("application/json")) {
            return false;
        }
        String parameter = type.substring(semicolon + 1).strip().toLowerCase(Locale.ROOT);
        return parameter.equals("charset=utf-8") || parameter.equals("charset=\"utf-8\"");
    }

    /**
     * Parses a socket message.
     *
     * @throws BadRequest if it is not one JSON object
     */
    public static ObjectNode parse(String message) {
        return parse(ByteBuffer.wrap(message.getBytes(StandardCharsets.UTF_8)));
    }

    public static ObjectNode parse(ByteBuffer body) {
        requireUtf8(body);
        try {
            JsonNode node = READER.readTree(body.array(), body.arrayOffset() + body.position(), body.remaining());
            if (node instanceof ObjectNode object) {
                return object;
            }
            throw new BadRequest("The body must be a JSON object.");
        } catch (StreamConstraintsException tooMuch) {
            throw new BadRequest("The JSON exceeds the limits: at most " + MAX_DEPTH + " levels, numbers of "
                    + MAX_NUMBER_LENGTH + " digits and names of " + MAX_NAME_LENGTH + " characters.");
        } catch (StreamReadException malformed) {
            throw new BadRequest("The body is not valid JSON" + place(malformed.getLocation()) + ".");
        } catch (JacksonException refused) {
            throw new BadRequest(
                    "The JSON has a duplicate field or trailing content" + place(refused.getLocation()) + ".");
        }
    }

    // Jackson would guess UTF-16 from zero bytes and accept some invalid sequences.
    private static void requireUtf8(ByteBuffer body) {
        int signs = 0;
        for (int i = body.position(); i < body.limit(); i++) {
            signs |= body.get(i);
        }
        if (signs < 0) {
            try {
                StandardCharsets.UTF_8.newDecoder().decode(body.duplicate());
            } catch (CharacterCodingException invalid) {
                throw new BadRequest("The body is not valid UTF-8.");
            }
        }
        for (int i = body.position(); i < Math.min(body.limit(), body.position() + 4); i++) {
            if (body.get(i) == 0) {
                throw new BadRequest("The body is not valid UTF-8.");
            }
        }
    }

    private static String place(TokenStreamLocation location) {
        return location == null || location.getLineNr() < 1
                ? ""
                : " (line " + location.getLineNr() + ", column " + location.getColumnNr() + ")";
    }
}
