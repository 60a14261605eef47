package dev.toolgate.server;

import dev.toolgate.core.json.Json;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/** The response of a server. */
public record Reply(HttpResponse<String> response) {
    private static final Pattern NEXT = Pattern.compile("<([^>]*)>; rel=\"next\"");

    public int status() {
        return response.statusCode();
    }

    public String text() {
        return response.body();
    }

    public JsonNode json() {
        return Json.MAPPER.readTree(text());
    }

    /** A field of every entry of a list. */
    public List<String> each(String field) {
        return json().valueStream().map(entry -> entry.path(field).asString()).toList();
    }

    /** The code of an error. */
    public String errorCode() {
        return json().path("error").path("code").asString();
    }

    /** The message of an error. */
    public String message() {
        return json().path("error").path("message").asString();
    }

    /** The remediation of an error. */
    public String remediation() {
        return json().path("error").path("remediation").asString();
    }

    public Optional<String> header(String name) {
        return response.headers().firstValue(name);
    }

    /** The address of the next page. */
    public Optional<String> next() {
        return header("Link").map(NEXT::matcher).filter(Matcher::matches).map(link -> link.group(1));
    }

    @Override
    public String toString() {
        return status() + " " + text();
    }
}
