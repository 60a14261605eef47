package dev.toolgate.server.door.access;

import dev.toolgate.core.call.Artifact;
import dev.toolgate.core.call.Call;
import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.call.Failure;
import dev.toolgate.core.call.Outcome;
import dev.toolgate.core.call.Output;
import dev.toolgate.core.decision.GrantAdvice;
import dev.toolgate.core.decision.Grants;
import dev.toolgate.core.json.Json;
import dev.toolgate.core.pipeline.Answer;
import dev.toolgate.http.error.HttpFailure;
import dev.toolgate.http.routing.Response;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Writes the outcome of a call: allowed with its result, denied with what is allowed, or an error. */
final class ExecuteAnswer {
    private final Denial denial;

    ExecuteAnswer(Grants grants, GrantAdvice advice) {
        this.denial = new Denial(grants, advice);
    }

    Response encode(Call call, Answer answer) {
        return switch (answer.outcome()) {
            case Outcome.Completed completed -> Response.json(allowed(answer, result(completed.output())));
            case Outcome.Failed failed -> failed(answer, failed);
            case Outcome.Refused refused -> refused(call, answer, refused.failure());
        };
    }

    /**
     * A failure that is on record is an answer like any other: the gate let the call through, and the body says what
     * became of it. What is not on record may not have been decided at all, so nothing is claimed about it.
     */
    private static Response failed(Answer answer, Outcome.Failed failed) {
        if (!answer.logged()) {
            throw error(failed.failure(), answer);
        }
        int status = failed.failure().code() == ErrorCode.INTERNAL_ERROR ? ErrorCode.INTERNAL_ERROR.httpStatus() : 200;
        return Response.json(status, allowed(answer, result(failed)).put("outcome", "failed"));
    }

    private Response refused(Call call, Answer answer, Failure why) {
        if (why.code().leavesOpen()) {
            throw error(why, answer);
        }
        return Response.json(
                why.code().httpStatus(),
                denial.of(call, why.code(), why.message()).put("logged", answer.logged()));
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

    private static HttpFailure error(Failure failure, Answer answer) {
        ObjectNode details = Json.MAPPER.valueToTree(failure.details());
        details.put("request_id", answer.requestId().value()).put("logged", answer.logged());
        Object wait = failure.details().get("retryAfterSeconds");
        Map<String, String> headers =
                failure.code().retryable() ? Map.of("Retry-After", wait == null ? "1" : wait.toString()) : Map.of();
        return new HttpFailure(failure.code().httpStatus(), failure.code(), failure.message(), headers, details);
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

    private static ObjectNode result(Outcome.Failed failed) {
        Failure failure = failed.failure();
        Output partial = failure.partial();
        ObjectNode result =
                partial == null ? Json.MAPPER.createObjectNode().put("data", failure.message()) : result(partial);
        result.put("success", false);
        ObjectNode error = result.putObject("error");
        error.put("code", failure.code().name());
        error.put("message", failure.message());
        error.put("retryable", failure.code().retryable());
        error.put("remediation", failed.remediation());
        if (!failure.details().isEmpty()) {
            error.set("details", Json.MAPPER.valueToTree(failure.details()));
        }
        return result;
    }
}
