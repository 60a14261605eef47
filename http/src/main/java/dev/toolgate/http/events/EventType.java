package dev.toolgate.http.events;

/**
 * A type of server-sent events. The types of each stream are an enum, so that the API document can be compared with them.
 */
@FunctionalInterface
public interface EventType {

    /** The name on the wire; one line. */
    String wireName();
}
