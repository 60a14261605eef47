package dev.toolgate.server.dialect.models;

import dev.toolgate.chat.model.ApiKey;
import dev.toolgate.chat.model.ProviderFailure;
import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.schema.Json;
import dev.toolgate.server.http.HttpFailure;
import dev.toolgate.server.model.ModelEndpoint;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** From what a provider did not deliver to what the caller is told. */
final class ProviderProblem {
    private static final Duration USUAL_WAIT = Duration.ofSeconds(5);

    private ProviderProblem() {}

    /**
     * The failure as an answer.
     *
     * @param own the caller's own key, if that was sent
     */
    static HttpFailure of(ModelEndpoint endpoint, @Nullable ApiKey own, ProviderFailure failure) {
        return switch (failure.kind()) {
            case UNAUTHORISED ->
                new HttpFailure(
                        400,
                        ErrorCode.INVALID_REQUEST,
                        notAccepted(endpoint, own),
                        Map.of(),
                        details(endpoint, failure));
            case RATE_LIMITED -> later(ErrorCode.RATE_LIMITED, endpoint, failure);
            case OVERLOADED, UNAVAILABLE, IDLE_TIMEOUT, TRUNCATED, CANCELLED ->
                later(ErrorCode.SERVICE_UNAVAILABLE, endpoint, failure);
            case REJECTED, MALFORMED, TOO_LARGE ->
                new HttpFailure(
                        502,
                        ErrorCode.TOOL_EXECUTION_FAILED,
                        failure.message() + " Check the address of the provider, " + endpoint.baseUrl() + ".",
                        Map.of(),
                        details(endpoint, failure));
        };
    }

    /** In words of our own: some providers repeat a part of the key. */
    static String notAccepted(ModelEndpoint endpoint, @Nullable ApiKey own) {
        return own == null
                ? "The provider " + endpoint.provider() + " accepts no request without a valid key; set the secret "
                        + endpoint.secret() + " of this tenant to one, or send a key of your own."
                : "The provider " + endpoint.provider() + " did not accept the key that was sent; send a valid one, or"
                        + " none to use the secret " + endpoint.secret() + " of this tenant.";
    }

    private static HttpFailure later(ErrorCode code, ModelEndpoint endpoint, ProviderFailure failure) {
        Duration wait = Objects.requireNonNullElse(failure.retryAfter(), USUAL_WAIT);
        long seconds = Math.max(1, wait.plusMillis(999).toSeconds());
        return new HttpFailure(
                code.httpStatus(),
                code,
                failure.message(),
                Map.of("Retry-After", Long.toString(seconds)),
                details(endpoint, failure));
    }

    private static ObjectNode details(ModelEndpoint endpoint, ProviderFailure failure) {
        return Json.MAPPER
                .createObjectNode()
                .put("provider", endpoint.provider())
                .put("kind", failure.kind().wireName());
    }
}
