package dev.toolgate.cli.connect;

import java.io.IOException;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.json.JsonReadFeature;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * Settings in JSON, with or without comments, to which one entry is added. The rest of the text, formatting included,
 * stays unchanged.
 */
final class JsonSettings {
    private static final JsonMapper MAPPER = JsonMapper.builder()
            .enable(JsonReadFeature.ALLOW_JAVA_COMMENTS, JsonReadFeature.ALLOW_TRAILING_COMMA)
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS, DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();
    private static final String BYTE_ORDER_MARK = "\uFEFF";

    private JsonSettings() {}

    /** Offsets in the text. */
    private static final class Places {
        int afterRoot = -1;
        boolean isRootEmpty = true;
        int afterParent = -1;
        boolean isParentEmpty = true;
        int valueFrom = -1;
        int valueTo = -1;
    }

    /**
     * Puts an entry into an object of the settings; both are created if missing.
     *
     * @param parent the name of the object
     * @throws IOException if the settings are no JSON object
     */
    static String put(String text, String parent, String name, ObjectNode entry) throws IOException {
        if (text.replace(BYTE_ORDER_MARK, "").isBlank()) {
            return "{\n" + member(parent, name, entry) + "\n}\n";
        }
        try {
            Places places = find(text, parent, name);
            String changed = insert(text, places, parent, name, entry);
            checkRest(text, changed, parent, name);
            return changed;
        } catch (JacksonException malformed) {
            throw new IOException("it is not valid JSON (" + malformed.getOriginalMessage() + ")", malformed);
        }
    }

    private static Places find(String text, String parent, String name) throws IOException {
        Places places = new Places();
        int skipped = text.startsWith(BYTE_ORDER_MARK) ? 1 : 0;
        try (JsonParser parser = MAPPER.createParser(text.substring(skipped))) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                throw new IOException("it is not a JSON object");
            }
            places.afterRoot = skipped + end(parser);
            while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
                places.isRootEmpty = false;
                boolean isParent = parent.equals(parser.currentName());
                JsonToken value = parser.nextToken();
                if (!isParent) {
                    parser.skipChildren();
                } else if (value != JsonToken.START_OBJECT || places.afterParent >= 0) {
                    throw new IOException("its '" + parent + "' is not one object");
                } else {
                    places.afterParent = skipped + end(parser);
                    members(parser, places, name, skipped);
                }
            }
            if (parser.nextToken() != null) {
                throw new IOException("it has content after its JSON object");
            }
        }
        return places;
    }

    private static void members(JsonParser parser, Places places, String name, int skipped) {
        while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
            places.isParentEmpty = false;
            boolean isEntry = name.equals(parser.currentName());
            parser.nextToken();
            int from = (int) parser.currentTokenLocation().getCharOffset();
            parser.skipChildren();
            parser.finishToken();
            if (isEntry) {
                places.valueFrom = skipped + from;
                places.valueTo = skipped + end(parser);
            }
        }
    }

    private static int end(JsonParser parser) {
        return (int) parser.currentLocation().getCharOffset();
    }

    private static String insert(String text, Places places, String parent, String name, ObjectNode entry) {
        if (places.valueFrom >= 0) {
            return text.substring(0, places.valueFrom) + pretty(entry) + text.substring(places.valueTo);
        }
        if (places.afterParent >= 0) {
            String added = "\n    \"" + name + "\": " + pretty(entry) + (places.isParentEmpty ? "\n  " : ",");
            return text.substring(0, places.afterParent) + added + text.substring(places.afterParent);
        }
        String added = "\n" + member(parent, name, entry) + (places.isRootEmpty ? "\n" : ",");
        return text.substring(0, places.afterRoot) + added + text.substring(places.afterRoot);
    }

    private static String member(String parent, String name, ObjectNode entry) {
        return "  \"" + parent + "\": {\n    \"" + name + "\": " + pretty(entry) + "\n  }";
    }

    private static String pretty(ObjectNode entry) {
        return MAPPER.writerWithDefaultPrettyPrinter()
                .writeValueAsString(entry)
                .replace("\r\n", "\n")
                .replace("\n", "\n    ");
    }

    // The edit by offsets is verified by parsing the result: nothing but the entry may differ.
    private static void checkRest(String before, String after, String parent, String name) throws IOException {
        if (!rest(before, parent, name).equals(rest(after, parent, name))) {
            throw new IOException("it cannot be changed without changing other settings");
        }
    }

    private static JsonNode rest(String text, String parent, String name) {
        JsonNode all = MAPPER.readTree(text.replace(BYTE_ORDER_MARK, ""));
        if (all.get(parent) instanceof @Nullable ObjectNode members) {
            members.remove(name);
            if (members.isEmpty() && all instanceof ObjectNode root) {
                root.remove(parent);
            }
        }
        return all;
    }
}
