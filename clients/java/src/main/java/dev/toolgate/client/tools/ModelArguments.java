package dev.toolgate.client.tools;

import dev.toolgate.client.ToolgateException;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** Converts arguments between the text of a model and the gate. Ambiguous JSON, such as duplicate names, is refused. */
final class ModelArguments {
    /** The code of the error. */
    static final String INVALID = "INVALID_ARGUMENTS";

    private static final JsonMapper MAPPER = JsonMapper.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();
    private static final TypeReference<Map<String, Object>> OBJECT = new TypeReference<>() {};

    private ModelArguments() {}

    static Map<String, Object> read(@Nullable String text) {
        if (text == null || text.isBlank()) {
            return Map.of();
        }
        try {
            Map<String, Object> arguments = MAPPER.readValue(text, OBJECT);
            if (arguments != null) {
                return arguments;
            }
        } catch (JacksonException noObject) {
            // Reported below, without quoting the arguments.
        }
        throw new ToolgateException(
                INVALID,
                "The arguments are not a JSON object in which every name occurs once.",
                "Send the arguments as one JSON object.",
                false,
                null);
    }

    static String write(Map<String, Object> arguments) {
        return MAPPER.writeValueAsString(arguments);
    }
}
