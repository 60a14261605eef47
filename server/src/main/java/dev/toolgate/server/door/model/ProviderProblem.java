package dev.toolgate.server.door.model;

import dev.toolgate.chat.model.ProviderFailed;
import dev.toolgate.chat.model.ProviderFailure;
import dev.toolgate.chat.model.ProviderKey;
import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.call.Unavailable;
import dev.toolgate.core.json.Json;
import dev.toolgate.http.error.HttpFailure;
import dev.toolgate.server.model.ModelEndpoint;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * Maps a provider's failure to an HTTP error.
 *
 * @param own the caller's own key, if one was sent
 */
record ProviderProblem(ModelEndpoint endpoint, @Nullable ProviderKey own, ProviderFailed failed) {
    private static final Duration DEFAULT_WAIT = Duration.ofSeconds(5);

    /** The failure as an HTTP error. */
    HttpFailure answer() {
        HttpFailure failure =
                switch (failed.failure().kind()) {
                    case UNAUTHORISED ->
                        new HttpFailure(400, ErrorCode.INVALID_REQUEST, notAccepted(), Map.of(), details());
                    case RATE_LIMITED -> later(ErrorCode.RATE_LIMITED);
                    case OVERLOADED, UNAVAILABLE, IDLE_TIMEOUT, TRUNCATED, CANCELLED ->
                        later(ErrorCode.SERVICE_UNAVAILABLE);
                    case REJECTED, MALFORMED, TOO_LARGE ->
                        new HttpFailure(
                                502,
                                ErrorCode.TOOL_EXECUTION_FAILED,
                                failed.failure().message(),
                                Map.of(),
                                details());
                };
        return failure.withAdvice(advice());
    }

    /** Why a key was rejected and what to do. */
    String verdict() {
        return notAccepted() + " " + advice();
    }

    // Not the provider's message, which may repeat a part of the key. The message about an unreadable secret is our
    // own.
    private String notAccepted() {
        if (failed.getCause() instanceof Unavailable) {
            return failed.failure().message();
        }
        return "The provider " + endpoint.provider()
                + (own == null ? " accepts no request without a valid key." : " did not accept the key that was sent.");
    }

    private String advice() {
        return switch (failed.failure().kind()) {
            case UNAUTHORISED ->
                own == null
                        ? "Set the secret " + endpoint.secret() + ", or send a key of your own."
                        : "Send a valid key, or none to use the secret " + endpoint.secret() + ".";
            case UNAVAILABLE ->
                "Check that " + endpoint.baseUrl() + " is the right address and that its server runs, then ask again.";
            case RATE_LIMITED, OVERLOADED, IDLE_TIMEOUT, TRUNCATED, CANCELLED -> "Ask the provider again in a moment.";
            case REJECTED, MALFORMED, TOO_LARGE -> "Check the provider's address, " + endpoint.baseUrl() + ".";
        };
    }

    private HttpFailure later(ErrorCode code) {
        ProviderFailure failure = failed.failure();
        return new HttpFailure(code.httpStatus(), code, failure.message(), Map.of(), details())
                .withRetryAfter(Objects.requireNonNullElse(failure.retryAfter(), DEFAULT_WAIT));
    }

    private ObjectNode details() {
        return Json.MAPPER
                .createObjectNode()
                .put("provider", endpoint.provider())
                .put("kind", failed.failure().kind().wireName());
    }
}
