package dev.toolgate.server.config;

import dev.toolgate.core.setting.Setting;
import java.math.BigDecimal;
import java.util.Collection;
import java.util.Comparator;
import java.util.Map;
import tools.jackson.databind.node.ObjectNode;

/** The allowed range of a setting's value. */
record Range(Setting about) {

    /**
     * @throws IllegalArgumentException with what the value must be
     */
    void check(Object value) {
        if (value instanceof Collection<?> items) {
            must(items.size() >= about.minLength(), "must have at least " + about.minLength() + " item");
            items.forEach(this::checkOne);
        } else if (value instanceof Map<?, ?> map) {
            map.values().forEach(this::checkOne);
        } else {
            String text = value instanceof Secret secret ? secret.value() : value.toString();
            must(
                    !(value instanceof Secret || value instanceof String) || text.length() >= about.minLength(),
                    about.minLength() == 1
                            ? "must not be empty"
                            : "must have at least " + about.minLength() + " characters");
            checkOne(value);
        }
    }

    private void checkOne(Object value) {
        if (!about.min().isEmpty()) {
            must(compare(value, about.min()) >= 0, "must be at least " + about.min());
        }
        if (!about.max().isEmpty()) {
            must(compare(value, about.max()) <= 0, "must be at most " + about.max());
        }
    }

    // Bounds are parsed like the values, so they have the same type.
    @SuppressWarnings("unchecked")
    private static int compare(Object value, String bound) {
        return ((Comparator<Object>) (Comparator<?>) Comparator.naturalOrder())
                .compare(value, ValueFormats.of(value.getClass()).parse(bound));
    }

    private static void must(boolean holds, String what) {
        if (!holds) {
            throw new IllegalArgumentException(what);
        }
    }

    /** Adds the range to a JSON Schema: bounds of numbers, minimum lengths of texts and lists. */
    void describe(ObjectNode schema) {
        switch (schema.path("type").asString()) {
            case "integer", "number" -> {
                bound(schema, "minimum", about.min());
                bound(schema, "maximum", about.max());
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
        if (about.minLength() > 0) {
            schema.put(keyword, about.minLength());
        }
    }
}
