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
 * One text for one JSON value, whatever way it took: keys in order, numbers without superfluous
 * digits. The database stores values, not texts, and gives them back in its own spelling; a hash over
 * this text is the same before and after.
 */
public final class CanonicalJson {
    private static final int LONGEST = 1 << 20;
    private static final int LARGEST_EXPONENT = 400;
    /** Reads numbers as they are written. */
    public static final JsonMapper EXACT = Json.MAPPER
            .rebuild()
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .build();

    private CanonicalJson() {}

    /** The text to store: of the value itself, or of a note about it if it cannot be stored. */
    public static String storable(ObjectNode value) {
        String text;
        try {
            text = isPlain(value) ? written(value) : of(value.toString());
        } catch (JacksonException | StackOverflowError unreadable) {
            return note("not recorded: " + unreadable.getClass().getSimpleName(), value);
        }
        return text.length() <= LONGEST ? text : note("not recorded: " + text.length() + " characters", value);
    }

    /** The canonical text of a JSON text. */
    public static String of(String json) {
        return written(EXACT.readTree(json));
    }

    /** Whether a tree says the same as its text does; numbers of some types do not, nor do Java objects in it. */
    private static boolean isPlain(JsonNode value) {
        return switch (value.getNodeType()) {
            case OBJECT, ARRAY -> value.valueStream().allMatch(CanonicalJson::isPlain);
            case NUMBER -> value.isIntegralNumber();
            case STRING, BOOLEAN, NULL -> true;
            case MISSING, BINARY, POJO -> false;
        };
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

    // Beyond any double, and a few bytes here would be many in the database: kept as a text.
    private static void writeNumber(BigDecimal number, StringBuilder text) {
        BigDecimal shortest = number.stripTrailingZeros();
        boolean sane = Math.abs((long) shortest.precision() - shortest.scale()) <= LARGEST_EXPONENT
                && Math.abs((long) shortest.scale()) <= LARGEST_EXPONENT;
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

    /** Whether there is nothing in it that could need escaping. */
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
            // Then the note alone has to do.
        }
        return text.append('}').toString();
    }
}
