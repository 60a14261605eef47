package dev.toolgate.server.condition;

import dev.cel.common.values.NullValue;
import java.util.AbstractList;
import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** JSON as CEL values; lazy views, so that a large argument costs nothing unless a condition reads it. */
final class JsonValues {
    private JsonValues() {}

    static Map<String, Object> map(ObjectNode object) {
        return new ObjectView(object);
    }

    private static Object value(JsonNode node) {
        return switch (node.getNodeType()) {
            case OBJECT -> new ObjectView((ObjectNode) node);
            case ARRAY -> list((ArrayNode) node);
            case STRING -> node.stringValue();
            case BOOLEAN -> node.booleanValue();
            case NUMBER -> number(node);
            case NULL -> NullValue.NULL_VALUE;
            case BINARY, POJO, MISSING -> throw new EvaluationProblem("a value is not JSON");
        };
    }

    // A number too large for a long becomes the nearest double, possibly infinity.
    private static Object number(JsonNode node) {
        if (node.isIntegralNumber()) {
            return node.canConvertToLong()
                    ? (Object) node.longValue()
                    : node.bigIntegerValue().doubleValue();
        }
        return node.isBigDecimal() ? node.decimalValue().doubleValue() : node.doubleValue();
    }

    private static List<Object> list(ArrayNode array) {
        return new AbstractList<>() {
            @Override
            public Object get(int index) {
                return value(array.get(index));
            }

            @Override
            public int size() {
                return array.size();
            }
        };
    }

    private static final class ObjectView extends AbstractMap<String, Object> {
        private final ObjectNode object;

        ObjectView(ObjectNode object) {
            this.object = object;
        }

        @Override
        public @Nullable Object get(@Nullable Object key) {
            JsonNode found = key instanceof String name ? object.get(name) : null;
            return found == null ? null : value(found);
        }

        @Override
        public boolean containsKey(@Nullable Object key) {
            return key instanceof String name && object.has(name);
        }

        @Override
        public int size() {
            return object.size();
        }

        @Override
        public Set<Entry<String, Object>> entrySet() {
            return new AbstractSet<>() {
                @Override
                public Iterator<Entry<String, Object>> iterator() {
                    return object.propertyStream()
                            .map(field -> Map.entry(field.getKey(), value(field.getValue())))
                            .iterator();
                }

                @Override
                public int size() {
                    return object.size();
                }
            };
        }
    }
}
