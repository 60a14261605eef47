package dev.toolgate.http.routing;

/** How a route's changes are audited. */
public enum Recording {
    /** Not declared; allowed only for reading routes. */
    NOT_STATED,
    /** As a tool call, by the gate. */
    BY_GATE,
    /** As an administrative change. */
    BY_ADMINISTRATION,
    /** By the route itself. */
    BY_ITSELF,
    /** Nothing to record: it changes nothing beyond the request except the caller's own log-in. */
    NOTHING_TO_RECORD
}
