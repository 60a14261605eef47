package dev.toolgate.server.door.frontend;

import dev.toolgate.core.call.Artifact;
import dev.toolgate.core.call.Failure;
import dev.toolgate.core.call.Outcome;
import dev.toolgate.core.call.Output;
import dev.toolgate.core.json.Json;
import dev.toolgate.core.pipeline.Answer;
import dev.toolgate.http.error.HttpFailure;
import dev.toolgate.http.routing.Response;
import dev.toolgate.server.door.PendingAnswer;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Encodes the outcome of a call: its structured value or an error. */
final class ExecuteToolAnswer {
    private ExecuteToolAnswer() {}

    /**
     * The response to a call that completed or is held.
     *
     * @throws HttpFailure for any other outcome
     */
    static Response of(Answer answer, String correlationId) {
        return switch (answer) {
            case Answer.Ended ended ->
                switch (ended.outcome()) {
                    case Outcome.Completed completed -> Response.json(success(completed.output(), correlationId));
                    case Outcome.Failed failed -> throw error(failed.failure()).withAdvice(failed.remediation());
                    case Outcome.Refused refused -> throw error(refused.failure());
                };
            case Answer.Held held -> PendingAnswer.held(held, PendingAnswer.location(held.requestId()));
            case Answer.Permitted _ -> throw new IllegalStateException("This door asks for no permits.");
            case Answer.Undecided undecided -> throw error(undecided.failure());
        };
    }

    private static ObjectNode success(Output output, String correlationId) {
        ObjectNode body = Json.MAPPER.createObjectNode();
        Object structured = output.structured();
        if (structured == null) {
            body.put("result", output.text());
        } else {
            body.set("result", structured instanceof JsonNode tree ? tree : Json.MAPPER.valueToTree(structured));
        }
        references(output, body);
        return body.put("correlationId", correlationId);
    }

    // Beside the result, whose format is documented: references to images and to the full text of truncated output.
    private static void references(Output output, ObjectNode body) {
        List<Artifact> stored = output.artifacts().stream()
                .filter(artifact -> artifact.uri() != null)
                .toList();
        if (stored.isEmpty()) {
            return;
        }
        ArrayNode artifacts = body.putArray("artifacts");
        for (Artifact artifact : stored) {
            artifacts
                    .addObject()
                    .put("uri", artifact.uri())
                    .put("kind", artifact.kind())
                    .put("mediaType", artifact.mediaType())
                    .put("name", artifact.name());
        }
    }

    static HttpFailure error(Failure failure) {
        ObjectNode details = Json.MAPPER.valueToTree(failure.facts());
        Output partial = failure.partial();
        if (partial != null && !partial.text().isEmpty()) {
            details.put("partialOutput", partial.text());
        }
        return new HttpFailure(failure.code().httpStatus(), failure.code(), failure.message(), Map.of(), details)
                .withRetryAfter(failure.retryAfter());
    }
}
