package dev.toolgate.core.decision;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.TenantId;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Which agent may use which tool. */
public interface Grants {

    /** The grants that cover this tool, by its canonical name; none means no, and one that holds is enough. */
    List<Grant> find(TenantId tenant, AgentId agent, String tool);

    /** The canonical names of the tools an agent has been granted, in order. */
    List<String> toolsOf(TenantId tenant, AgentId agent);

    /** Who refuses this tool to the agent, which wins over every grant; empty if nobody does. */
    default Optional<Refusal> refusal(TenantId tenant, AgentId agent, String tool) {
        return Optional.empty();
    }

    /**
     * An explicit no.
     *
     * @param group the group whose members are refused the tool; {@code null} if it is the agent itself
     */
    record Refusal(@Nullable String group) {}

    /** How many uses are left of a grant with a limited number. */
    int usesLeft(TenantId tenant, Uses uses);

    /** Takes one use, for good; false if none is left. */
    boolean use(TenantId tenant, Uses uses);

    /**
     * Agent and tool, with what the grant asks for.
     *
     * @param condition {@code null} if it always holds
     * @param uses {@code null} if it may be used without number
     */
    record Grant(
            Approval approval,
            @Nullable Instant expiresAt,
            @Nullable Condition condition,
            @Nullable Uses uses) {
        public static final Grant PLAIN = Grant.of(Approval.NOT_NEEDED, null);

        /** A grant without condition, for any number of uses. */
        public static Grant of(Approval approval, @Nullable Instant expiresAt) {
            return new Grant(approval, expiresAt, null, null);
        }
    }

    /**
     * A limited number of uses.
     *
     * @param grant which grant they belong to, in words of whoever keeps the grants
     */
    record Uses(String grant, int most) {}

    /** Whether a person must say yes to every call under a grant. */
    enum Approval {
        NOT_NEEDED,
        REQUIRED
    }
}
