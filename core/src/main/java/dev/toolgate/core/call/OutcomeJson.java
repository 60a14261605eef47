package dev.toolgate.core.call;

import dev.toolgate.core.json.Json;
import dev.toolgate.core.output.HeadTail;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Reads and writes outcomes as JSON of bounded length. Artifacts are stored by reference; of an oversized outcome only
 * the head and tail of its text are stored, which its metadata notes.
 */
public final class OutcomeJson {
    /** The metadata or details key that marks a shortened outcome. */
    public static final String SHORTENED = "shortened";

    private static final String NOTE = "Only a part of the first answer was kept.";
    private static final int MAX_LENGTH = 256 * 1024;
    private static final int LONG_TEXT = 128 * 1024;
    private static final int SHORT_TEXT = 16 * 1024; // fits even if every character is escaped
    private static final TypeReference<Map<String, Object>> FACTS = new TypeReference<>() {};

    private OutcomeJson() {}

    /** The outcome as a JSON text of bounded length. */
    public static String write(Outcome outcome) {
        String whole = write(outcome, UnaryOperator.identity());
        if (whole.length() <= MAX_LENGTH) {
            return whole;
        }
        String shorter = write(shorten(outcome), output -> shorten(output, LONG_TEXT, output.artifacts()));
        return shorter.length() <= MAX_LENGTH
                ? shorter
                : write(shorten(outcome), output -> shorten(output, SHORT_TEXT, List.of()));
    }

    /** Reads an outcome written by {@link #write}. */
    public static Outcome read(String json) {
        JsonNode node = Json.MAPPER.readTree(json);
        return switch (node.path("kind").stringValue()) {
            case "completed" -> new Outcome.Completed(output(node.path("output")));
            case "failed" -> new Outcome.Failed(failure(node.path("failure")));
            case "refused" -> new Outcome.Refused(failure(node.path("failure")));
            case String other -> throw new IllegalArgumentException("There is no outcome of kind '" + other + "'.");
        };
    }

    private static Output shorten(Output output, int maxBytes, List<Artifact> artifacts) {
        return new Output(
                HeadTail.fit(output.text(), maxBytes),
                null,
                Map.of(SHORTENED, NOTE),
                artifacts,
                output.verdict(),
                null);
    }

    private static Outcome shorten(Outcome outcome) {
        return switch (outcome) {
            case Outcome.Completed completed -> completed;
            case Outcome.Failed failed -> new Outcome.Failed(shorten(failed.failure()));
            case Outcome.Refused refused -> new Outcome.Refused(shorten(refused.failure()));
        };
    }

    private static Failure shorten(Failure failure) {
        return failure.withMessage(HeadTail.fit(failure.message(), SHORT_TEXT)).withDetails(Map.of(SHORTENED, NOTE));
    }

    private static String write(Outcome outcome, UnaryOperator<Output> fit) {
        ObjectNode node = Json.MAPPER.createObjectNode();
        switch (outcome) {
            case Outcome.Completed completed ->
                node.put("kind", "completed").set("output", write(fit.apply(completed.output())));
            case Outcome.Failed failed -> node.put("kind", "failed").set("failure", write(failed.failure(), fit));
            case Outcome.Refused refused -> node.put("kind", "refused").set("failure", write(refused.failure(), fit));
        }
        return node.toString();
    }

    private static ObjectNode write(Failure failure, UnaryOperator<Output> fit) {
        ObjectNode node = Json.MAPPER.createObjectNode();
        node.put("code", failure.code().name()).put("message", failure.message());
        node.set("details", facts(failure.facts())); // includes the wait in seconds, for earlier versions
        if (failure.retryAfter() != null) {
            node.put("retryAfter", failure.retryAfter().toString());
        }
        if (failure.partial() != null) {
            node.set("partial", write(fit.apply(failure.partial())));
        }
        return node;
    }

    private static ObjectNode write(Output output) {
        ObjectNode node = Json.MAPPER.createObjectNode();
        node.put("text", output.text()).put("verdict", output.verdict().name());
        if (output.structured() != null) {
            node.set("structured", Json.MAPPER.valueToTree(output.structured()));
        }
        ServerResult original = output.original();
        if (original != null) {
            node.putObject("original").set("content", original.content());
            if (original.meta() != null) {
                node.withObjectProperty("original").set("meta", original.meta());
            }
        }
        node.set("metadata", facts(output.metadata()));
        ArrayNode artifacts = node.putArray("artifacts");
        for (Artifact artifact : output.artifacts()) {
            artifacts
                    .addObject()
                    .put("kind", artifact.kind())
                    .put("mediaType", artifact.mediaType())
                    .put("name", artifact.name())
                    .put("size", artifact.content().size())
                    .put("uri", artifact.uri());
        }
        return node;
    }

    private static JsonNode facts(Map<String, Object> facts) {
        return facts.isEmpty() ? Json.MAPPER.createObjectNode() : Json.MAPPER.valueToTree(facts);
    }

    private static Failure failure(JsonNode node) {
        JsonNode partial = node.get("partial");
        Map<String, Object> details = Json.MAPPER.convertValue(node.path("details"), FACTS);
        Duration retryAfter = retryAfter(node);
        if (retryAfter != null) {
            details.remove(Failure.RETRY_AFTER_SECONDS);
        }
        return new Failure(
                code(node.path("code").stringValue()),
                node.path("message").stringValue(),
                details,
                retryAfter,
                partial == null ? null : output(partial));
    }

    // Earlier versions wrote only the seconds, among the details.
    private static @Nullable Duration retryAfter(JsonNode failure) {
        String exact = text(failure.get("retryAfter"));
        JsonNode seconds = failure.path("details").path(Failure.RETRY_AFTER_SECONDS);
        if (exact != null) {
            return Duration.parse(exact);
        }
        return seconds.isIntegralNumber() ? Duration.ofSeconds(seconds.longValue()) : null;
    }

    // During a rolling update another instance may write codes unknown here.
    private static ErrorCode code(String name) {
        for (ErrorCode code : ErrorCode.values()) {
            if (code.name().equals(name)) {
                return code;
            }
        }
        return ErrorCode.TOOL_EXECUTION_FAILED;
    }

    private static Output output(JsonNode node) {
        List<Artifact> artifacts = new ArrayList<>();
        for (JsonNode artifact : node.path("artifacts")) {
            artifacts.add(new Artifact(
                    artifact.path("kind").stringValue(),
                    artifact.path("mediaType").stringValue(),
                    artifact.path("name").stringValue(),
                    Content.inStore(artifact.path("size").longValue()),
                    text(artifact.get("uri"))));
        }
        return new Output(
                node.path("text").stringValue(),
                node.get("structured"),
                Json.MAPPER.convertValue(node.path("metadata"), FACTS),
                artifacts,
                Output.Verdict.valueOf(node.path("verdict").stringValue()),
                original(node.path("original")));
    }

    private static @Nullable ServerResult original(JsonNode node) {
        return node.path("content") instanceof ArrayNode content
                ? new ServerResult(content, node.path("meta") instanceof ObjectNode meta ? meta : null)
                : null;
    }

    private static @Nullable String text(@Nullable JsonNode node) {
        return node == null || node.isNull() ? null : node.stringValue();
    }
}
