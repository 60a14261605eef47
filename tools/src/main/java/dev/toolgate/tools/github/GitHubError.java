package dev.toolgate.tools.github;

import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.call.Failure;
import dev.toolgate.core.json.Json;
import dev.toolgate.core.tool.ToolFailure;
import java.net.http.HttpHeaders;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/**
 * An error response of GitHub.
 *
 * @param message GitHub's message
 */
record GitHubError(int status, HttpHeaders headers, String message) {
    private static final int MAX_MESSAGE_LENGTH = 500;
    private static final long SECONDARY_LIMIT_SECONDS = 60;

    static GitHubError of(int status, HttpHeaders headers, byte[] body) {
        return new GitHubError(status, headers, message(body));
    }

    ToolFailure failure(Clock clock) {
        OptionalLong wait = retryAfterSeconds(clock);
        if (wait.isPresent()) {
            long seconds = wait.getAsLong();
            return new ToolFailure(
                    Failure.of(
                                    ErrorCode.RATE_LIMITED,
                                    "GitHub's rate limit is exceeded until "
                                            + Instant.ofEpochSecond(
                                                    clock.instant().getEpochSecond() + seconds)
                                            + "; try again in " + seconds + " seconds")
                            .withRetryAfter(Duration.ofSeconds(seconds)),
                    null);
        }
        return new ToolFailure(
                ErrorCode.TOOL_EXECUTION_FAILED,
                switch (status) {
                    case 401 -> "GitHub does not accept the token; set GITHUB_TOKEN to one that is valid";
                    case 403 -> "The token in GITHUB_TOKEN does not permit this" + because();
                    case 404 -> "GitHub has no such resource, or the token in GITHUB_TOKEN may not see it" + because();
                    case 405 -> "GitHub does not allow this now" + because();
                    case 409 -> "The request conflicts with the current state" + because();
                    case 422 -> "GitHub rejected the request" + because();
                    default -> "GitHub answered with status " + status + because();
                },
                Map.of("status", status));
    }

    // https://docs.github.com/rest/using-the-rest-api/rate-limits-for-the-rest-api
    private OptionalLong retryAfterSeconds(Clock clock) {
        if (status != 403 && status != 429) {
            return OptionalLong.empty();
        }
        OptionalLong retryAfter = number("retry-after");
        if (retryAfter.isPresent()) {
            return OptionalLong.of(Math.max(1, retryAfter.getAsLong()));
        }
        OptionalLong reset = number("x-ratelimit-reset");
        if (number("x-ratelimit-remaining").equals(OptionalLong.of(0)) && reset.isPresent()) {
            return OptionalLong.of(
                    Math.max(1, reset.getAsLong() - clock.instant().getEpochSecond()));
        }
        return status == 429 || message.contains("rate limit") || message.contains("abuse detection")
                ? OptionalLong.of(SECONDARY_LIMIT_SECONDS)
                : OptionalLong.empty();
    }

    private OptionalLong number(String header) {
        String value = headers.firstValue(header).orElse("");
        return value.matches("[0-9]{1,15}") ? OptionalLong.of(Long.parseLong(value)) : OptionalLong.empty();
    }

    private String because() {
        return message.isEmpty() ? "" : ": " + message;
    }

    private static String message(byte[] body) {
        try {
            JsonNode answer = Json.MAPPER.readTree(body);
            List<String> parts = new ArrayList<>();
            parts.add(answer.path("message").asString(""));
            for (JsonNode error : answer.path("errors")) {
                parts.add(
                        error.isString()
                                ? error.asString()
                                : error.path("message").asString(""));
            }
            parts.removeIf(String::isBlank);
            String all = String.join("; ", parts).replaceAll("\\p{Cntrl}+", " ");
            return all.length() <= MAX_MESSAGE_LENGTH ? all : all.substring(0, MAX_MESSAGE_LENGTH) + "…";
        } catch (JacksonException notJson) {
            return "";
        }
    }
}
