package dev.toolgate.server.door;

import dev.toolgate.http.routing.Exchange;
import dev.toolgate.store.grant.Author;
import org.jspecify.annotations.Nullable;

/** Who makes a change and why, for the history. */
public final class Authors {
    /** The query parameter for the reason in requests without a body. */
    public static final String REASON = "reason";

    private static final int MAX_QUERY_REASON = 300;

    private Authors() {}

    public static Author of(Exchange exchange, @Nullable String reason) {
        return FailureMapping.unknownAsConflict(
                () -> new Author(exchange.principal().name(), reason));
    }

    /** Reads the reason from the query; short, because URLs have a maximum length. */
    public static Author of(Exchange exchange) {
        String reason = exchange.query().text(REASON).orElse(null);
        FailureMapping.invalidAsBadRequest(() -> TextFields.checkNullable(REASON, reason, MAX_QUERY_REASON));
        return of(exchange, reason);
    }
}
