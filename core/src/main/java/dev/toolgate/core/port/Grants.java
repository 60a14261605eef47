package dev.toolgate.core.port;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.TenantId;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Which agent may use which tool. */
public interface Grants {

    /** The grant that covers this tool, by its canonical name; empty means no. */
    Optional<Grant> find(TenantId tenant, AgentId agent, String tool);

    /** The canonical names of the tools an agent has been granted, in order. */
    List<String> toolsOf(TenantId tenant, AgentId agent);

    /** Agent and tool, with what the grant asks for. */
    record Grant(Approval approval, @Nullable Instant expiresAt) {
        public static final Grant PLAIN = new Grant(Approval.NOT_NEEDED, null);
    }

    /** Whether a person must say yes to every call under a grant. */
    enum Approval {
        NOT_NEEDED,
        REQUIRED
    }
}
