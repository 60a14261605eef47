package dev.toolgate.core.audit;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.RequestId;
import dev.toolgate.core.call.TenantId;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Finds the permits that were given under a request id. */
public interface Permits {

    /**
     * The permits of a tenant with this request id, at most one per agent.
     *
     * @param agent only that of this agent; {@code null} for any
     */
    List<Found> find(TenantId tenant, RequestId request, @Nullable AgentId agent);

    /** The open permits of an agent for a call that the model gave this id, the oldest first; normally at most one. */
    List<OpenPermit> open(TenantId tenant, AgentId agent, String toolCallId);

    /** A permit that was given. */
    sealed interface Found {
        /** The agent that got it. */
        AgentId agent();

        /** Its outcome can be reported. */
        record Open(OpenPermit permit) implements Found {
            @Override
            public AgentId agent() {
                return permit.key().agent();
            }
        }

        /** Its outcome was reported in time. */
        record Reported(AgentId agent) implements Found {}

        /** No outcome was reported in time; the call is, or is about to be, recorded as interrupted. */
        record Expired(AgentId agent, Instant at) implements Found {}
    }
}
