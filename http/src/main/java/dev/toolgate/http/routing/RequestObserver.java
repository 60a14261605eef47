package dev.toolgate.http.routing;

/** Is notified when a request ends. */
@FunctionalInterface
public interface RequestObserver {

    /** Ignores all. */
    RequestObserver NONE = (_, _, _, _) -> {};

    /**
     * A request ended.
     *
     * @param method a known method, or {@code OTHER}
     * @param route the route's pattern, such as {@code /api/v1/agents/{agent_id}}; a fixed word if none matched
     */
    void requestEnded(String method, String route, int status, long nanoseconds);
}
