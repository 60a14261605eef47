package dev.toolgate.store.audit.query;

import java.time.Duration;

/** A question that would have kept the database busy for too long. */
public final class QueryTooExpensive extends RuntimeException {
    private static final long serialVersionUID = 1;

    QueryTooExpensive(Duration limit, Throwable cause) {
        super(
                "The answer would have taken longer than " + limit.toSeconds()
                        + " seconds; narrow the question by time, agent or tool.",
                cause);
    }
}
