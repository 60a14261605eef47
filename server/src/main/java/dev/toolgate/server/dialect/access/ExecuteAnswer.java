package dev.toolgate.server.dialect.access;

import dev.toolgate.core.call.Artifact;
import dev.toolgate.core.call.Call;
import dev.toolgate.core.call.Failure;
import dev.toolgate.core.call.Outcome;
import dev.toolgate.core.call.Output;
import dev.toolgate.core.pipeline.Answer;
import dev.toolgate.core.port.Grants;
import dev.toolgate.core.schema.Json;
import dev.toolgate.server.http.HttpFailure;
import dev.toolgate.server.http.Response;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Writes the outcome of a call: allowed with its result, denied with what is allowed, or an error. */
final class ExecuteAnswer {
    private final Denial denial;

    ExecuteAnswer(Grants grants) {
        this.denial = new Denial(grants);
    }

    Response encode(Call call, Answer answer) {
        return switch (answer.outcome()) {
            case Outcome.Completed completed -> Response.json(allowed(answer, result(completed.output())));
            case Outcome.Failed failed ->
                failed.failure().code().leavesOpen()
                        ? throwError(failed.failure(), answer)
                        : Response.json(
                                failed.failure().code().httpStatus(), allowed(answer, result(failed.failure())));
            case Outcome.Refused refused ->
                refused.failure().code().leavesOpen()
                        ? throwError(refused.failure(), answer)
                        : Response.json(
                                refused.failure().code().httpStatus(),
                                denial.of(
                                                call,
                                                refused.failure().code(),
                                                refused.failure().message())
                                        .put("logged", answer.logged()));
        };
    }

    /** Says nothing of the agent that was named, only what the caller itself may use. */
    Response impersonation(ExecuteRequest request, Failure why, Answer answer, List<String> ownTools) {
        if (!answer.logged()) {
            throw HttpFailure.unavailable("The attempt could not be put on record");
        }
        ObjectNode body = Denial.body(request.requestId(), why.code(), why.message(), ownTools);
        body.put("suggestion", "Call as your own agent, or with the key of an orchestrator.");
        return Response.json(why.code().httpStatus(), body.put("logged", true));
    }

    private static Response throwError(Failure failure, Answer answer) {
        ObjectNode details = Json.MAPPER.valueToTree(failure.details());
        details.put("request_id", answer.requestId().value()).put("logged", answer.logged());
        Object wait = failure.details().get("retryAfterSeconds");
        Map<String, String> headers =
                failure.code().retryable() ? Map.of("Retry-After", wait == null ? "1" : wait.toString()) : Map.of();
        throw new HttpFailure(failure.code().httpStatus(), failure.code(), failure.message(), headers, details);
    }

    private static ObjectNode allowed(Answer answer, ObjectNode result) {
        ObjectNode body = Json.MAPPER.createObjectNode();
        body.put("status", "allowed");
        body.put("request_id", answer.requestId().value());
        body.set("result", result);
        body.put("logged", answer.logged());
        return body;
    }

    private static ObjectNode result(Output output) {
        ObjectNode result = Json.MAPPER.createObjectNode();
        result.put("success", output.verdict() == Output.Verdict.OK);
        result.put("data", output.text());
        if (output.structured() != null) {
            result.set("structured", Json.MAPPER.valueToTree(output.structured()));
        }
        if (!output.metadata().isEmpty()) {
            result.set("metadata", Json.MAPPER.valueToTree(output.metadata()));
        }
        if (!output.artifacts().isEmpty()) {
            ArrayNode artifacts = result.putArray("artifacts");
            output.artifacts().forEach(artifact -> artifacts.add(reference(artifact)));
        }
        return result;
    }

    private static ObjectNode reference(Artifact artifact) {
        return Json.MAPPER
                .createObjectNode()
                .put("kind", artifact.kind())
                .put("name", artifact.name())
                .put("media_type", artifact.mediaType())
                .put("size", artifact.content().size())
                .put("uri", artifact.uri());
    }

    private static ObjectNode result(Failure failure) {
        Output partial = failure.partial();
        ObjectNode result = partial == null ? Json.MAPPER.createObjectNode() : result(partial);
        result.put("success", false);
        ObjectNode error = result.putObject("error");
        error.put("code", failure.code().name());
        error.put("message", failure.message());
        error.put("retryable", failure.code().retryable());
        error.put("remediation", failure.code().remediation());
        if (!failure.details().isEmpty()) {
            error.set("details", Json.MAPPER.valueToTree(failure.details()));
        }
        return result;
    }
}
