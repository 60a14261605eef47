package dev.toolgate.server.door;

import dev.toolgate.http.routing.Exchange;
import java.util.Arrays;

/** What a client would rather have (RFC 7240). */
public final class Preferences {
    /** The wish to be answered before the work is done. */
    static final String RESPOND_ASYNC = "respond-async";

    private Preferences() {}

    /** Whether it would rather be told where the outcome will be than wait for a person. */
    public static boolean respondAsync(Exchange exchange) {
        return exchange.header("Prefer")
                .map(wishes -> Arrays.stream(wishes.split(","))
                        .map(wish -> wish.split(";", 2)[0].strip())
                        .anyMatch(RESPOND_ASYNC::equalsIgnoreCase))
                .orElse(false);
    }
}
