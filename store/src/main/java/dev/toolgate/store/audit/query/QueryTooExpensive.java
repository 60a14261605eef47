package dev.toolgate.store.audit.query;

import java.time.Duration;

/** A query that was cancelled because it took too long. */
public final class QueryTooExpensive extends RuntimeException {
    private static final long serialVersionUID = 1;

    QueryTooExpensive(Duration limit, Throwable cause) {
        super("The query took longer than " + limit.toSeconds() + " seconds; narrow it by time, agent or tool.", cause);
    }
}
