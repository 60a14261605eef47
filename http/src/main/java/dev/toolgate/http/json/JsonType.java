package dev.toolgate.http.json;

import dev.toolgate.http.error.BadRequest;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Reads one type of JSON value, without conversion. */
@FunctionalInterface
interface JsonType {

    /**
     * @param path of the value, for messages
     */
    Object read(JsonNode value, String path);

    static JsonType of(Type type, FieldNames names) {
        if (type instanceof ParameterizedType generic) {
            Type[] arguments = generic.getActualTypeArguments();
            if (generic.getRawType() == List.class) {
                return list(of(arguments[0], names));
            }
            if (generic.getRawType() == Map.class && arguments[0] == String.class) {
                return map(of(arguments[1], names));
            }
        } else if (type == JsonNode.class) {
            return (value, _) -> value;
        } else if (type == ObjectNode.class) {
            return JsonType::object;
        } else if (type instanceof Class<?> plain) {
            JsonType scalar = JsonScalars.of(plain);
            if (scalar != null) {
                return scalar;
            }
            if (plain.isRecord()) {
                return JsonRecord.of(plain.asSubclass(Record.class), names).asType();
            }
        }
        throw new IllegalArgumentException("JSON cannot be read into a " + type.getTypeName() + ".");
    }

    private static JsonType list(JsonType element) {
        return (value, path) -> {
            if (!value.isArray()) {
                throw mismatch(value, path, "a list");
            }
            List<Object> list = new ArrayList<>(value.size());
            for (int i = 0; i < value.size(); i++) {
                list.add(element.read(value.get(i), path + "[" + i + "]"));
            }
            return list;
        };
    }

    private static JsonType map(JsonType element) {
        return (value, path) -> {
            Map<String, Object> map = new LinkedHashMap<>();
            object(value, path).forEachEntry((name, inner) -> map.put(name, element.read(inner, inside(path, name))));
            return map;
        };
    }

    static ObjectNode object(JsonNode value, String path) {
        if (value instanceof ObjectNode object) {
            return object;
        }
        throw mismatch(value, path, "an object");
    }

    static BadRequest mismatch(JsonNode value, String path, String wanted) {
        return new BadRequest("Field '" + path + "' must be " + wanted + ", not " + kind(value) + ".");
    }

    static String inside(String path, String name) {
        return path.isEmpty() ? name : path + "." + name;
    }

    private static String kind(JsonNode value) {
        return switch (value.getNodeType()) {
            case STRING -> "text";
            case NUMBER -> value.isIntegralNumber() ? "a whole number" : "a number with a fraction";
            case BOOLEAN -> "true or false";
            case ARRAY -> "a list";
            case OBJECT, POJO -> "an object";
            case NULL, MISSING -> "null";
            case BINARY -> "bytes";
        };
    }
}
