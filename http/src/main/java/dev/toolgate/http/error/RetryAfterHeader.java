package dev.toolgate.http.error;

import dev.toolgate.core.call.RetryDelay;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The {@code Retry-After} header of a response, in seconds. */
public final class RetryAfterHeader {
    /** The default wait. */
    public static final Duration DEFAULT = Duration.ofSeconds(1);

    private static final String NAME = "Retry-After";

    private RetryAfterHeader() {}

    /** The header for this wait; none for {@code null}. */
    public static Map<String, String> of(@Nullable Duration wait) {
        return wait == null ? Map.of() : Map.of(NAME, Long.toString(RetryDelay.seconds(wait)));
    }
}
