package dev.toolgate.http.routing;

/** How what a route changes goes on record. */
public enum Recording {
    /** Nobody has said, which only routes that read may leave so. */
    NOT_STATED,
    /** As a call of a tool, by the gate. */
    BY_GATE,
    /** As a change by an administrator. */
    BY_ADMINISTRATION,
    /** By the code of the route, in a way of its own. */
    BY_ITSELF,
    /** There is nothing to record: it changes nothing that outlives the request but the caller's own log-in. */
    NOTHING_TO_RECORD
}
