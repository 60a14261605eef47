package dev.toolgate.store.audit.record;

import dev.toolgate.core.json.Json;
import java.math.BigDecimal;
import java.util.Map;
import java.util.TreeMap;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Canonical JSON: sorted keys, and numbers in their shortest form. The database stores JSONB, which does not preserve
 * the original text; a hash over the canonical text is the same before and after.
 */
public final class CanonicalJson {
    private static final int MAX_LENGTH = 1 << 20;
    private static final int MAX_EXPONENT = 400;
    /** Reads numbers without loss of precision. */
    public static final JsonMapper EXACT = Json.MAPPER
            .rebuild()
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .build();

    private CanonicalJson() {}

    /** The canonical text, or a placeholder with a digest if the value is too large or cannot be written. */
    public static String storable(ObjectNode value) {
        String text;
        try {
            text = isPlain(value) ? written(value) : of(value.toString());
        } catch (JacksonException | StackOverflowError unreadable) {
            return note("not recorded: " + unreadable.getClass().getSimpleName(), value);
        }
        return text.length() <= MAX_LENGTH ? text : note("not recorded: " + text.length() + " characters", value);
    }

    /** The canonical text of a JSON text. */
    public static String of(String json) {
        return written(EXACT.readTree(json));
    }

    /**
     * Whether a tree can be written directly; floating-point numbers and Java objects must be written and re-read
     * first.
     */
    private static boolean isPlain(JsonNode value) {
        return switch (value.getNodeType()) {
            case OBJECT, ARRAY -> areAllPlain(value);
            case NUMBER -> value.isIntegralNumber();
            case STRING, BOOLEAN, NULL -> true;
            case MISSING, BINARY, POJO -> false;
        };
    }

    private static boolean areAllPlain(JsonNode values) {
        for (JsonNode value : values) {
            if (!isPlain(value)) {
                return false;
            }
        }
        return true;
    }

    private static String written(JsonNode value) {
        StringBuilder text = new StringBuilder();
        write(value, text);
        return text.toString();
    }

    private static void write(JsonNode value, StringBuilder text) {
        switch (value.getNodeType()) {
            case OBJECT -> writeObject(value, text);
            case ARRAY -> {
                text.append('[');
                for (int i = 0; i < value.size(); i++) {
                    text.append(i == 0 ? "" : ",");
                    write(value.get(i), text);
                }
                text.append(']');
            }
            case NUMBER -> writeNumber(value.decimalValue(), text);
            case STRING -> writeString(value.stringValue(), text);
            case BOOLEAN, NULL, MISSING, BINARY, POJO -> text.append(value);
        }
    }

    private static void writeObject(JsonNode value, StringBuilder text) {
        Map<String, JsonNode> sorted = new TreeMap<>();
        value.properties().forEach(field -> sorted.put(CleanText.clean(field.getKey()), field.getValue()));
        text.append('{');
        String separator = "";
        for (Map.Entry<String, JsonNode> field : sorted.entrySet()) {
            text.append(separator);
            writeString(field.getKey(), text);
            text.append(':');
            write(field.getValue(), text);
            separator = ",";
        }
        text.append('}');
    }

    // Numbers beyond the range of a double are stored as text: a few bytes of JSON would be huge as a numeric.
    private static void writeNumber(BigDecimal number, StringBuilder text) {
        BigDecimal shortest = number.stripTrailingZeros();
        boolean sane = Math.abs((long) shortest.precision() - shortest.scale()) <= MAX_EXPONENT
                && Math.abs((long) shortest.scale()) <= MAX_EXPONENT;
        if (sane) {
            text.append(shortest.signum() == 0 ? "0" : shortest.toString());
        } else {
            writeString(shortest.toString(), text);
        }
    }

    private static void writeString(String value, StringBuilder text) {
        if (isSimple(value)) {
            text.append('"').append(value).append('"');
        } else {
            text.append(JsonNodeFactory.instance.stringNode(CleanText.clean(value)));
        }
    }

    /** Whether it contains nothing that needs escaping. */
    private static boolean isSimple(String value) {
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c < ' ' || c > '~' || c == '"' || c == '\\' || c == '/') {
                return false;
            }
        }
        return true;
    }

    private static String note(String what, ObjectNode value) {
        StringBuilder text = new StringBuilder("{\"_\":");
        writeString(what, text);
        try {
            text.append(",\"sha256\":\"")
                    .append(new FieldDigest().add(value.toString()).hex())
                    .append('"');
        } catch (JacksonException | StackOverflowError unreadable) {
            // The placeholder has no digest then.
        }
        return text.append('}').toString();
    }
}
