package dev.toolgate.http.json;

import dev.toolgate.core.json.Json;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.json.JsonMapper;

/** The JSON mapper for responses: record components in snake case. */
public final class AnswerJson {
    public static final JsonMapper MAPPER = Json.MAPPER
            .rebuild()
            .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
            .build();

    private AnswerJson() {}

    /** The value as a tree; JSON null for {@code null}. */
    public static JsonNode tree(@Nullable Object value) {
        return value instanceof JsonNode tree ? tree : MAPPER.valueToTree(value);
    }
}
