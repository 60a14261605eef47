package dev.toolgate.server.config;

import dev.toolgate.core.setting.Setting;
import java.math.BigDecimal;
import java.util.Collection;
import java.util.Comparator;
import java.util.Map;
import tools.jackson.databind.node.ObjectNode;

/** The values a setting may have, beyond being of its kind. */
record Range(Setting about) {

    /**
     * @throws IllegalArgumentException with what the value must be
     */
    void check(Object value) {
        if (value instanceof Collection<?> items) {
            must(items.size() >= about.shortest(), "must have at least " + about.shortest() + " item");
            items.forEach(this::checkOne);
        } else if (value instanceof Map<?, ?> map) {
            map.values().forEach(this::checkOne);
        } else {
            String text = value instanceof Secret secret ? secret.value() : value.toString();
            must(
                    !(value instanceof Secret || value instanceof String) || text.length() >= about.shortest(),
                    about.shortest() == 1
                            ? "must not be empty"
                            : "must have at least " + about.shortest() + " characters");
            checkOne(value);
        }
    }

    private void checkOne(Object value) {
        if (!about.least().isEmpty()) {
            must(compare(value, about.least()) >= 0, "must be at least " + about.least());
        }
        if (!about.most().isEmpty()) {
            must(compare(value, about.most()) <= 0, "must be at most " + about.most());
        }
    }

    // Bounds are written like the values they bound, so they have the same type.
    @SuppressWarnings("unchecked")
    private static int compare(Object value, String bound) {
        return ((Comparator<Object>) (Comparator<?>) Comparator.naturalOrder())
                .compare(value, Kinds.of(value.getClass()).parse(bound));
    }

    private static void must(boolean holds, String what) {
        if (!holds) {
            throw new IllegalArgumentException(what);
        }
    }

    /** Adds what a JSON Schema can say of it: ranges of numbers, lengths of texts and lists. */
    void describe(ObjectNode schema) {
        switch (schema.path("type").asString()) {
            case "integer", "number" -> {
                bound(schema, "minimum", about.least());
                bound(schema, "maximum", about.most());
            }
            case "string" -> length(schema, "minLength");
            case "array" -> {
                length(schema, "minItems");
                describe(schema.withObject("/items"));
            }
            case "object" -> {
                if (schema.path("additionalProperties") instanceof ObjectNode values) {
                    describe(values);
                }
            }
            default -> {}
        }
    }

    private static void bound(ObjectNode schema, String keyword, String bound) {
        if (!bound.isEmpty()) {
            schema.put(keyword, new BigDecimal(bound));
        }
    }

    private void length(ObjectNode schema, String keyword) {
        if (about.shortest() > 0) {
            schema.put(keyword, about.shortest());
        }
    }
}
