package dev.toolgate.store.session;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.SessionId;
import java.time.Instant;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Selects sessions and their order.
 *
 * @param agents only those of these agents; {@code null} for all
 * @param status {@code null} for any
 * @param now the time at which expiry is evaluated
 */
public record SessionFilter(
        @Nullable Set<AgentId> agents, @Nullable Status status, Instant now, Order order) {

    /** Whether a session can be used. */
    public enum Status {
        ACTIVE,
        EXPIRED,
        ENDED
    }

    /** The order of sessions. */
    public enum Order {
        BY_ID,
        NEWEST_FIRST
    }

    /**
     * The last session of a page.
     *
     * @param createdAt used only with {@link Order#NEWEST_FIRST}
     */
    public record Place(Instant createdAt, SessionId session) {}
}
