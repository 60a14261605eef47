package dev.toolgate.server.door;

import dev.toolgate.http.routing.Exchange;
import java.util.Arrays;

/** The preferences of a client (RFC 7240). */
public final class Preferences {
    /** The preference for a response before the call has ended. */
    static final String RESPOND_ASYNC = "respond-async";

    private Preferences() {}

    /** Whether the client prefers to collect the outcome later instead of waiting for an approval. */
    public static boolean respondAsync(Exchange exchange) {
        return exchange.header("Prefer")
                .map(values -> Arrays.stream(values.split(","))
                        .map(value -> value.split(";", 2)[0].strip())
                        .anyMatch(RESPOND_ASYNC::equalsIgnoreCase))
                .orElse(false);
    }
}
