package dev.toolgate.store.grant;

import dev.toolgate.core.call.AgentId;
import org.jspecify.annotations.Nullable;

/** Which changes are asked for; {@code null} means any. */
public record ChangeFilter(
        @Nullable AgentId agent,
        Holder.@Nullable Group group,
        @Nullable String tool) {
    /** Every change. */
    public static final ChangeFilter ALL = new ChangeFilter(null, null, null);

    /** The changes of one agent. */
    public static ChangeFilter of(AgentId agent) {
        return new ChangeFilter(agent, null, null);
    }
}
