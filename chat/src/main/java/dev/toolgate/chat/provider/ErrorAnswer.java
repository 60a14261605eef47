package dev.toolgate.chat.provider;

import dev.toolgate.chat.model.ProviderFailure;
import dev.toolgate.chat.model.ProviderFailure.Kind;
import dev.toolgate.chat.model.ProviderKey;
import dev.toolgate.core.json.Json;
import dev.toolgate.core.redact.Redactor;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/** Translates a provider's error response into a failure, with secrets masked. */
final class ErrorAnswer {
    private static final int MAX_BYTES = 64 * 1024;
    private static final int MAX_MESSAGE_LENGTH = 500;

    // A key that the provider itself masked except for its ends. The lookbehind allows one attempt per word.
    private static final Pattern PARTLY_MASKED = Pattern.compile("(?<![^\\s\"'])(?=[^\\s\"']*\\*{3})[^\\s\"']+");

    private final String provider;
    private final Redactor redactor;
    private final InstantSource clock;

    ErrorAnswer(String provider, @Nullable ProviderKey key, InstantSource clock) {
        this.provider = provider;
        this.redactor = key == null ? Redactor.standard() : Redactor.standard().withSecrets(Set.of(key.reveal()));
        this.clock = clock;
    }

    /** A response with a status other than 200. */
    ProviderFailure of(HttpResponse<?> head, ProviderExchange body) {
        Duration retryAfter = head.headers()
                .firstValue("retry-after")
                .map(value -> RetryAfter.parse(value, clock))
                .orElse(null);
        return new ProviderFailure(
                kind(head.statusCode()), sentence("answered " + head.statusCode(), words(body)), retryAfter);
    }

    /** An error within a stream: an object with a message and a type or code, or plain text. */
    ProviderFailure of(JsonNode error) {
        String type = error.path("type").asString("");
        JsonNode code = error.path("code");
        Kind kind = code.isIntegralNumber() ? kind(code.intValue()) : kind(type + " " + code.asString(""));
        String words =
                error.isString() ? error.stringValue() : error.path("message").asString(type);
        return ProviderFailure.of(kind, sentence("failed during its answer", words));
    }

    private String sentence(String what, String words) {
        String clean = PARTLY_MASKED
                .matcher(redactor.clean(words))
                .replaceAll(Redactor.MASK)
                .strip();
        String brief = clean.length() > MAX_MESSAGE_LENGTH ? clean.substring(0, MAX_MESSAGE_LENGTH) + "…" : clean;
        return brief.isEmpty() ? provider + " " + what + "." : provider + " " + what + ": " + brief;
    }

    private static String words(ProviderExchange body) {
        try {
            String text = new String(body.readNBytes(MAX_BYTES), StandardCharsets.UTF_8);
            try {
                JsonNode error = Json.MAPPER.readTree(text).path("error");
                return error.isString()
                        ? error.stringValue()
                        : error.path("message").asString("");
            } catch (JacksonException notJson) {
                return text.stripLeading().startsWith("<") ? "" : text; // an HTML page of a proxy is of no use
            }
        } catch (IOException gone) {
            return "";
        }
    }

    private static Kind kind(int status) {
        return switch (status) {
            case 401, 403 -> Kind.UNAUTHORISED;
            case 429 -> Kind.RATE_LIMITED;
            case 529 -> Kind.OVERLOADED;
            case 408 -> Kind.UNAVAILABLE;
            default -> status >= 500 ? Kind.UNAVAILABLE : Kind.REJECTED;
        };
    }

    private static Kind kind(String typeAndCode) {
        if (typeAndCode.contains("rate_limit")) {
            return Kind.RATE_LIMITED;
        }
        if (typeAndCode.contains("overloaded")) {
            return Kind.OVERLOADED;
        }
        if (typeAndCode.contains("authentication") || typeAndCode.contains("permission")) {
            return Kind.UNAUTHORISED;
        }
        return typeAndCode.contains("invalid_request") ? Kind.REJECTED : Kind.UNAVAILABLE;
    }
}
