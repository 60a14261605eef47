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
 * An answer that is not what was asked for, in plain words.
 *
 * @param said what GitHub wrote about it
 */
record GitHubAnswer(int status, HttpHeaders headers, String said) {
    private static final int LONGEST = 500;
    private static final long SECONDARY_LIMIT_SECONDS = 60;

    static GitHubAnswer of(int status, HttpHeaders headers, byte[] body) {
        return new GitHubAnswer(status, headers, message(body));
    }

    ToolFailure failure(Clock clock) {
        OptionalLong wait = mustWait(clock);
        if (wait.isPresent()) {
            long seconds = wait.getAsLong();
            return new ToolFailure(
                    Failure.of(
                                    ErrorCode.RATE_LIMITED,
                                    "GitHub takes no more requests until "
                                            + Instant.ofEpochSecond(
                                                    clock.instant().getEpochSecond() + seconds)
                                            + "; try again in " + seconds + " seconds")
                            .retryingAfter(Duration.ofSeconds(seconds)),
                    null);
        }
        return new ToolFailure(
                ErrorCode.TOOL_EXECUTION_FAILED,
                switch (status) {
                    case 401 -> "GitHub does not accept the token; set GITHUB_TOKEN to one that is valid";
                    case 403 -> "The token in GITHUB_TOKEN may not do this" + because();
                    case 404 -> "GitHub has no such thing, or the token in GITHUB_TOKEN may not see it" + because();
                    case 405 -> "GitHub does not allow this now" + because();
                    case 409 -> "It conflicts with what is there" + because();
                    case 422 -> "GitHub cannot do this as asked" + because();
                    default -> "GitHub answered with status " + status + because();
                },
                Map.of("status", status));
    }

    // https://docs.github.com/rest/using-the-rest-api/rate-limits-for-the-rest-api
    private OptionalLong mustWait(Clock clock) {
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
        return status == 429 || said.contains("rate limit") || said.contains("abuse detection")
                ? OptionalLong.of(SECONDARY_LIMIT_SECONDS)
                : OptionalLong.empty();
    }

    private OptionalLong number(String header) {
        String value = headers.firstValue(header).orElse("");
        return value.matches("[0-9]{1,15}") ? OptionalLong.of(Long.parseLong(value)) : OptionalLong.empty();
    }

    private String because() {
        return said.isEmpty() ? "" : ": " + said;
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
            return all.length() <= LONGEST ? all : all.substring(0, LONGEST) + "…";
        } catch (JacksonException notJson) {
            return "";
        }
    }
}
