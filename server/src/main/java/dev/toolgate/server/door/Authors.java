package dev.toolgate.server.door;

import dev.toolgate.http.routing.Exchange;
import dev.toolgate.store.grant.Author;
import org.jspecify.annotations.Nullable;

/** Who makes a change, and why, as the history will tell it. */
public final class Authors {
    /** Where a request without a body says why. */
    public static final String REASON = "reason";

    private static final int LONGEST_IN_ADDRESS = 300;

    private Authors() {}

    public static Author of(Exchange exchange, @Nullable String reason) {
        return Refusals.ofBody(() -> new Author(exchange.principal().name(), reason));
    }

    /** The reason is in the query, where it must leave room for the rest of the address. */
    public static Author of(Exchange exchange) {
        String reason = exchange.query().text(REASON).orElse(null);
        Refusals.ofForm(() -> TextFields.checkNullable(REASON, reason, LONGEST_IN_ADDRESS));
        return of(exchange, reason);
    }
}
