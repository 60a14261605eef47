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
import dev.toolgate.http.error.RetryAfterHeader;
import dev.toolgate.http.routing.Response;
import dev.toolgate.server.door.PendingAnswer;
import dev.toolgate.server.gate.Impersonation;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Encodes the outcome of a call: allowed with its result, denied with the allowed tools, or an error. */
final class ExecuteAnswer {
    private static final String REFUSED = "refused";

    private final Denial denial;

    ExecuteAnswer(Grants grants, GrantAdvice advice) {
        this.denial = new Denial(grants, advice);
    }

    Response encode(Call call, Answer answer) {
        return switch (answer) {
            case Answer.Ended ended ->
                switch (ended.outcome()) {
                    case Outcome.Completed completed ->
                        Response.json(allowed(answer, "completed", result(completed.output())));
                    case Outcome.Failed failed -> failed(answer, failed);
                    case Outcome.Refused refused -> refused(call, answer, refused.failure());
                };
            case Answer.Held held -> PendingAnswer.held(held, PendingAnswer.location(held.requestId()));
            case Answer.Permitted permitted -> Response.json(permitted(permitted));
            case Answer.Undecided undecided -> throw error(undecided);
        };
    }

    /** A failed tool is a normal response: the gate allowed the call, and the body describes the failure. */
    private static Response failed(Answer answer, Outcome.Failed failed) {
        int status = failed.failure().code() == ErrorCode.INTERNAL_ERROR ? ErrorCode.INTERNAL_ERROR.httpStatus() : 200;
        return Response.json(status, allowed(answer, "failed", result(failed)));
    }

    private Response refused(Call call, Answer answer, Failure why) {
        ObjectNode body =
                denial.of(call.caller().tenant(), call.caller().agent(), call.toolName(), call.requestId(), why);
        return Response.json(
                why.code().httpStatus(), body.put("outcome", REFUSED).put("logged", answer.logged()));
    }

    /** Lists only the caller's own tools, nothing about the agent it tried to act as. */
    Response impersonation(ExecuteRequest request, Impersonation attempt, List<String> ownTools) {
        if (!attempt.answer().logged()) {
            throw HttpFailure.unavailable("The attempt could not be recorded");
        }
        Failure why = attempt.why();
        ObjectNode body = Denial.body(request.requestId(), why, ownTools);
        body.put("suggestion", "Call as your own agent, or with the key of an orchestrator.");
        return Response.json(
                why.code().httpStatus(), body.put("outcome", REFUSED).put("logged", true));
    }

    private static HttpFailure error(Answer.Undecided undecided) {
        Failure failure = undecided.failure();
        ObjectNode details = Json.MAPPER.valueToTree(failure.facts());
        details.put("request_id", undecided.requestId().value()).put("logged", undecided.logged());
        HttpFailure error =
                new HttpFailure(failure.code().httpStatus(), failure.code(), failure.message(), Map.of(), details);
        return failure.code().retryable()
                ? error.withRetryAfter(Objects.requireNonNullElse(failure.retryAfter(), RetryAfterHeader.DEFAULT))
                : error;
    }

    private static ObjectNode permitted(Answer.Permitted permitted) {
        ObjectNode body = Json.MAPPER.createObjectNode();
        body.put("status", "allowed").put("outcome", "authorized");
        body.put("request_id", permitted.requestId().value());
        body.put("permit_expires_at", permitted.expiresAt().toString());
        body.set("parameters", permitted.arguments());
        return body.put("logged", permitted.logged());
    }

    private static ObjectNode allowed(Answer answer, String outcome, ObjectNode result) {
        ObjectNode body = Json.MAPPER.createObjectNode();
        body.put("status", "allowed").put("outcome", outcome);
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
        Map<String, Object> facts = failure.facts();
        if (!facts.isEmpty()) {
            error.set("details", Json.MAPPER.valueToTree(facts));
        }
        return result;
    }
}
