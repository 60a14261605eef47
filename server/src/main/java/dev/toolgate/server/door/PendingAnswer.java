package dev.toolgate.server.door;

import dev.toolgate.core.call.RequestId;
import dev.toolgate.core.json.Json;
import dev.toolgate.core.pipeline.Answer;
import dev.toolgate.http.error.RetryAfterHeader;
import dev.toolgate.http.routing.Response;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import tools.jackson.databind.node.ObjectNode;

/** What somebody is told whose call has not ended: 202, and where its outcome will be. */
public final class PendingAnswer {
    private PendingAnswer() {}

    /** Where the outcome of a call is, in the shape of the access API. */
    public static String place(RequestId request) {
        return "/api/v1/calls/" + encoded(request.value());
    }

    /** A text as a part of a path or query. */
    public static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    /**
     * To whoever made the call and prefers to come back.
     *
     * @param place where the outcome will be
     */
    public static Response held(Answer.Held held, String place) {
        return new Response.Json(
                202, body(held), Map.of("Preference-Applied", Preferences.RESPOND_ASYNC, "Location", place));
    }

    /** To whoever has come back too early, because a person has not answered yet. */
    public static Response stillHeld(Answer.Held held) {
        return new Response.Json(202, body(held), RetryAfterHeader.of(RetryAfterHeader.SOON));
    }

    /** To whoever has come back too early, because the tool is at work. */
    public static Response running(RequestId request) {
        ObjectNode body = Json.MAPPER.createObjectNode();
        body.put("status", "running").put("request_id", request.value());
        return new Response.Json(202, body, RetryAfterHeader.of(RetryAfterHeader.SOON));
    }

    private static ObjectNode body(Answer.Held held) {
        ObjectNode body = Json.MAPPER.createObjectNode();
        body.put("status", "pending").put("request_id", held.requestId().value());
        body.put("approval_id", held.question().toString());
        body.put("expires_at", held.expiresAt().toString());
        return body;
    }
}
