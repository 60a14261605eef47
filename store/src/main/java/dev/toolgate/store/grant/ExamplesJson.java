package dev.toolgate.store.grant;

import dev.toolgate.core.decision.ConditionExamples;
import dev.toolgate.core.json.Json;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.json.JsonWriteFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectWriter;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The stored form of a condition's examples: {@code {"matches": [...], "does_not_match": [...]}}. */
final class ExamplesJson {
    private static final int MAX_LENGTH = 20_000;
    // Escaped, so that text with unpaired surrogates is preserved too.
    private static final ObjectWriter WRITER = Json.MAPPER.writer().with(JsonWriteFeature.ESCAPE_NON_ASCII);

    private ExamplesJson() {}

    static @Nullable String write(ConditionExamples examples) {
        if (examples.isEmpty()) {
            return null;
        }
        ObjectNode all = Json.MAPPER.createObjectNode();
        all.putArray("matches").addAll(examples.matches());
        all.putArray("does_not_match").addAll(examples.doesNotMatch());
        String text = WRITER.writeValueAsString(all);
        if (text.length() > MAX_LENGTH) {
            throw new IllegalArgumentException(
                    "The examples of a condition must be at most " + MAX_LENGTH + " characters of JSON.");
        }
        return text;
    }

    static ConditionExamples read(@Nullable String stored) {
        if (stored == null) {
            return ConditionExamples.NONE;
        }
        JsonNode all = Json.MAPPER.readTree(stored);
        return new ConditionExamples(objects(all.path("matches")), objects(all.path("does_not_match")));
    }

    private static List<ObjectNode> objects(JsonNode examples) {
        return examples instanceof ArrayNode array
                ? array.valueStream()
                        .filter(ObjectNode.class::isInstance)
                        .map(ObjectNode.class::cast)
                        .toList()
                : List.of();
    }
}
