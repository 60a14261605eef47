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

/** Reads JSON that strangers send: one object in UTF-8, bounded, no field twice, nothing after it. */
public final class JsonBody {
    private static final int DEEPEST = 200;
    private static final int LONGEST_NUMBER = 1_000;
    private static final int LONGEST_NAME = 1_000;

    private static final ObjectReader READER = reader();

    private JsonBody() {}

    private static ObjectReader reader() {
        StreamReadConstraints bounds = StreamReadConstraints.builder()
                .maxNestingDepth(DEEPEST)
                .maxNumberLength(LONGEST_NUMBER)
                .maxNameLength(LONGEST_NAME)
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
     * Reads what came over a socket.
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
            throw new BadRequest("The JSON exceeds the limits: at most " + DEEPEST + " levels, numbers of "
                    + LONGEST_NUMBER + " digits and names of " + LONGEST_NAME + " characters.");
        } catch (StreamReadException malformed) {
            throw new BadRequest("The body is not valid JSON" + place(malformed.getLocation()) + ".");
        } catch (JacksonException refused) {
            throw new BadRequest(
                    "The JSON has a field twice or something after its end" + place(refused.getLocation()) + ".");
        }
    }

    // The parser below would guess UTF-16 from zero bytes and let some invalid sequences pass.
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
