package dev.toolgate.server.dialect.access;

import dev.toolgate.server.http.Exchange;
import dev.toolgate.store.grant.Author;
import org.jspecify.annotations.Nullable;

/** Who makes a change, and why, as the history will tell it. */
final class Authors {
    /** Where a request without a body says why. */
    static final String REASON = "reason";

    private Authors() {}

    static Author of(Exchange exchange, @Nullable String reason) {
        return Refusals.ofBody(() -> new Author(exchange.principal().name(), reason));
    }

    /** The reason is in the query. */
    static Author of(Exchange exchange) {
        return of(exchange, exchange.query().text(REASON).orElse(null));
    }
}
