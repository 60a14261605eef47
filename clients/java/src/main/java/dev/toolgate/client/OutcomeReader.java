package dev.toolgate.client;

import dev.toolgate.client.model.ArtifactReference;
import dev.toolgate.client.model.ToolFailure;
import dev.toolgate.client.model.ToolResult;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** Reads outcomes from replies. An unknown response is an error, never a permission. */
final class OutcomeReader {
    /** The status of a pending outcome that is an open permit. */
    static final String AUTHORIZED = "authorized";

    private OutcomeReader() {}

    static Outcome read(Reply reply) {
        JsonNode body = reply.json();
        String status = body.path("status").asString("");
        if (status.equals("denied")) {
            return denied(reply);
        }
        if (reply.status() == 202) {
            return pending(reply, status);
        }
        JsonNode result = body.path("result");
        if (status.equals("allowed") && body.path("outcome").asString("").equals(AUTHORIZED)) {
            return pending(reply, AUTHORIZED);
        }
        if (status.equals("allowed") && result.isObject()) {
            return result.path("error").isObject() ? failed(reply) : completed(reply);
        }
        throw reply.unexpected();
    }

    private static Outcome completed(Reply reply) {
        return new Outcome.Completed(result(reply), reply.correlationId());
    }

    private static Outcome failed(Reply reply) {
        ToolFailure error = Json.read(reply.json().path("result").path("error"), ToolFailure.class);
        return new Outcome.Failed(error, result(reply), reply.correlationId());
    }

    private static ToolResult result(Reply reply) {
        JsonNode result = reply.json().path("result");
        return new ToolResult(
                reply.json().path("request_id").asString(""),
                result.path("success").asBoolean(false),
                result.path("data").asString(""),
                result.path("structured"),
                result.path("metadata"),
                Json.readList(result.path("artifacts"), ArtifactReference.class),
                reply.json().path("logged").asBoolean(false),
                reply.json());
    }

    private static Outcome denied(Reply reply) {
        JsonNode body = reply.json();
        return new Outcome.Denied(
                body.path("request_id").asString(""),
                body.path("reason").asString("The call was refused."),
                body.path("violation_type").asString("permission_denied"),
                names(body.path("allowed_tools")),
                body.path("suggestion").asString("Use one of the allowed tools."),
                body,
                reply.correlationId());
    }

    private static Outcome pending(Reply reply, String status) {
        JsonNode body = reply.json();
        return new Outcome.Pending(
                body.path("request_id").asString(""),
                status,
                Json.text(body.path("approval_id")),
                Json.time(body.path("expires_at")),
                reply.retryAfter(),
                body,
                reply.correlationId());
    }

    static List<String> names(JsonNode list) {
        return list.valueStream().map(name -> name.asString("")).toList();
    }
}
