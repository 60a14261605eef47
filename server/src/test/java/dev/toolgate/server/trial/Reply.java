package dev.toolgate.server.trial;

import dev.toolgate.core.json.Json;
import java.net.http.HttpResponse;
import tools.jackson.databind.JsonNode;

/** The response of a server. */
public record Reply(int status, String text, HttpResponse<String> whole) {

    static Reply of(HttpResponse<String> response) {
        return new Reply(response.statusCode(), response.body(), response);
    }

    JsonNode json() {
        return Json.MAPPER.readTree(text);
    }

    JsonNode error() {
        return json().path("error");
    }

    public boolean logged() {
        return json().path("logged").asBoolean(false);
    }

    @Override
    public String toString() {
        return status + " " + text;
    }
}
