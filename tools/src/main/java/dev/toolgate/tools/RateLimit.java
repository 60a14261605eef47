package dev.toolgate.tools;

import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.call.Failure;
import dev.toolgate.core.tool.ToolFailure;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/** Detects rate-limit responses of services. */
public final class RateLimit {
    private static final Duration UNKNOWN = Duration.ofMinutes(1);
    private static final Duration MIN = Duration.ofSeconds(1);

    private RateLimit() {}

    /** The failure for a rate-limited response; empty for any other. */
    public static Optional<ToolFailure> in(ServiceClient.Reply reply, String service, Clock clock) {
        boolean spent =
                reply.header("x-ratelimit-remaining").filter("0"::equals).isPresent();
        Optional<String> after = reply.header("retry-after");
        if (reply.status() != 429 && !(reply.status() == 403 && (spent || after.isPresent()))) {
            return Optional.empty();
        }
        Instant now = clock.instant();
        Instant stated = after.flatMap(RateLimit::number)
                .map(now::plusSeconds)
                .or(() -> reply.header("x-ratelimit-reset")
                        .flatMap(RateLimit::number)
                        .map(Instant::ofEpochSecond))
                .orElse(now.plus(UNKNOWN));
        Instant earliest = now.plus(MIN);
        Instant reset = stated.isBefore(earliest) ? earliest : stated; // the service's clock may be behind
        return Optional.of(new ToolFailure(
                Failure.of(ErrorCode.RATE_LIMITED, service + " has reached its rate limit; try again after " + reset)
                        .withDetails(Map.of("resetAt", reset.toString()))
                        .withRetryAfter(Duration.between(now, reset)),
                null));
    }

    private static Optional<Long> number(String text) {
        return text.matches("\\d{1,12}") ? Optional.of(Long.parseLong(text)) : Optional.empty();
    }
}
