package dev.toolgate.http.routing;

/** Hears of every request when it is over. */
@FunctionalInterface
public interface RequestObserver {

    /** Pays no attention. */
    RequestObserver NOBODY = (_, _, _, _) -> {};

    /**
     * A request is over.
     *
     * @param method a known method, or {@code OTHER}
     * @param route the pattern of its route, such as {@code /api/v1/agents/{agent_id}}; a fixed word if none was found
     */
    void requestEnded(String method, String route, int status, long nanoseconds);
}
