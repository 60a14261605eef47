package dev.toolgate.server.door;

import dev.toolgate.core.call.RequestId;
import dev.toolgate.core.json.Json;
import dev.toolgate.core.pipeline.Answer;
import dev.toolgate.http.error.RetryAfterHeader;
import dev.toolgate.http.routing.Response;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Map;
import tools.jackson.databind.node.ObjectNode;

/** The response for a call that has not ended: 202 and the location of its outcome. */
public final class PendingAnswer {
    private PendingAnswer() {}

    /** The location of a call's outcome in the tool access API. */
    public static String location(RequestId request) {
        return "/api/v1/calls/" + encoded(request.value());
    }

    /** Encodes a text for a path or query. */
    public static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    /**
     * For the caller that prefers to collect the outcome later.
     *
     * @param location where the outcome can be collected
     */
    public static Response held(Answer.Held held, String location) {
        return new Response.Json(
                202, body(held), Map.of("Preference-Applied", Preferences.RESPOND_ASYNC, "Location", location));
    }

    /** For a caller that collects before the approval request is answered. */
    public static Response stillHeld(Answer.Held held) {
        return new Response.Json(202, body(held), RetryAfterHeader.of(RetryAfterHeader.DEFAULT));
    }

    /** For a caller that collects while the tool is running. */
    public static Response running(RequestId request) {
        ObjectNode body = Json.MAPPER.createObjectNode();
        body.put("status", "running").put("outcome", "running").put("request_id", request.value());
        return new Response.Json(202, body, RetryAfterHeader.of(RetryAfterHeader.DEFAULT));
    }

    /**
     * For a caller that collects a permit it was given before. The parameters are not repeated, since only their masked
     * form is stored.
     */
    public static Response permitted(RequestId request, Instant until) {
        ObjectNode body = Json.MAPPER.createObjectNode();
        body.put("status", "allowed").put("outcome", "authorized").put("request_id", request.value());
        return Response.json(body.put("permit_expires_at", until.toString()).put("logged", true));
    }

    private static ObjectNode body(Answer.Held held) {
        ObjectNode body = Json.MAPPER.createObjectNode();
        body.put("status", "pending").put("outcome", "pending");
        body.put("request_id", held.requestId().value());
        body.put("approval_id", held.question().toString());
        body.put("expires_at", held.expiresAt().toString());
        return body;
    }
}
