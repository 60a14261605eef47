package dev.toolgate.store.grant;

import dev.toolgate.core.call.AgentId;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Selects permission changes; {@code null} matches any.
 *
 * @param from the earliest time, inclusive
 * @param until the latest time, exclusive
 */
public record ChangeFilter(
        @Nullable AgentId agent,
        Holder.@Nullable Group group,
        @Nullable String tool,
        @Nullable String changedBy,
        @Nullable Instant from,
        @Nullable Instant until) {
    /** Every change. */
    public static final ChangeFilter ALL = new ChangeFilter(null, null, null, null, null, null);

    /** The changes of one agent. */
    public static ChangeFilter of(AgentId agent) {
        return new ChangeFilter(agent, null, null, null, null, null);
    }
}
