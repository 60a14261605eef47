package dev.toolgate.client;

import java.net.http.HttpHeaders;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** A response of the gate, or of a proxy in front of it. */
record Reply(int status, HttpHeaders headers, JsonNode json) {
    static final String UNEXPECTED = "UNEXPECTED_RESPONSE";

    /** Whether it is a proper response, neither an error nor the page of a proxy. */
    boolean isAnswer() {
        boolean ok = status >= 200 && status < 300;
        return ok ? status == 204 || !json.isMissingNode() : isOutcome() && !isError();
    }

    /** Whether the body is the API's error format. */
    private boolean isError() {
        return json.path("error").path("code").isString();
    }

    /** Whether the body describes a call, whatever the status is. */
    private boolean isOutcome() {
        return json.path("status").isString() && json.path("request_id").isString();
    }

    boolean retryable() {
        return isError() && json.path("error").path("retryable").asBoolean(false);
    }

    @Nullable
    String correlationId() {
        return headers.firstValue("X-Correlation-ID").orElse(null);
    }

    @Nullable
    Duration retryAfter() {
        String value = headers.firstValue("Retry-After").orElse("").strip();
        if (value.isEmpty()) {
            return null;
        }
        if (value.length() < 10 && value.chars().allMatch(digit -> digit >= '0' && digit <= '9')) {
            return Duration.ofSeconds(Long.parseLong(value));
        }
        try {
            Duration left = Duration.between(
                    Instant.now(),
                    ZonedDateTime.parse(value, DateTimeFormatter.RFC_1123_DATE_TIME)
                            .toInstant());
            return left.isNegative() ? Duration.ZERO : left;
        } catch (DateTimeException noDate) {
            return null;
        }
    }

    /** The error as an exception of its kind. */
    ToolgateException exception() {
        if (!isError()) {
            return unexpected();
        }
        JsonNode error = json.path("error");
        String code = error.path("code").asString();
        String message = error.path("message").asString(code);
        String remediation = error.path("remediation").asString("");
        String correlation = Json.text(error.path("correlation_id"));
        if (status == 401) {
            return new AuthenticationException(code, message, remediation, correlation);
        }
        if (code.equals("RATE_LIMITED")) {
            return new RateLimitedException(code, message, remediation, retryable(), correlation, retryAfter());
        }
        return new ToolgateException(code, message, remediation, retryable(), correlation);
    }

    /** The exception for an unknown response; it does not quote the content. */
    ToolgateException unexpected() {
        return status == 401
                ? new AuthenticationException(
                        "UNAUTHORIZED", "The key was not accepted.", "Use a valid key.", correlationId())
                : new ToolgateException(
                        UNEXPECTED,
                        "The answer with status " + status + " is not one of the gate's.",
                        "Check that the address is the gate's, and check any proxy in between.",
                        false,
                        correlationId());
    }
}
