package dev.toolgate.server.door.frontend;

import dev.toolgate.core.call.Artifact;
import dev.toolgate.core.call.Failure;
import dev.toolgate.core.call.Outcome;
import dev.toolgate.core.call.Output;
import dev.toolgate.core.json.Json;
import dev.toolgate.http.error.HttpFailure;
import dev.toolgate.http.routing.Response;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Writes the outcome of a call: its structured value, or why there is none. */
final class ExecuteToolAnswer {
    private ExecuteToolAnswer() {}

    /**
     * The answer to a call that completed.
     *
     * @throws HttpFailure for any other
     */
    static Response of(Outcome outcome, String correlationId) {
        return switch (outcome) {
            case Outcome.Completed completed -> Response.json(success(completed.output(), correlationId));
            case Outcome.Failed failed -> throw error(failed.failure()).advising(failed.remediation());
            case Outcome.Refused refused -> throw error(refused.failure());
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

    // Beside the result, whose shape is documented: images, and the whole of what was cut, are fetched by these.
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
        ObjectNode details = Json.MAPPER.valueToTree(failure.details());
        Output partial = failure.partial();
        if (partial != null && !partial.text().isEmpty()) {
            details.put("partialOutput", partial.text());
        }
        Object wait = failure.details().get("retryAfterSeconds");
        return new HttpFailure(
                failure.code().httpStatus(),
                failure.code(),
                failure.message(),
                wait == null ? Map.of() : Map.of("Retry-After", wait.toString()),
                details);
    }
}
