package dev.toolgate.store.audit.rollup;

import java.math.BigDecimal;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * How an agent has used a tool.
 *
 * @param calls all calls, including refused ones
 * @param refused those that were not allowed
 * @param failed those that were allowed and did not complete
 * @param lastUsedAt the last call that was allowed
 * @param lastRefusedAt the last call that was not
 */
public record ToolUsage(
        String agentId,
        String toolName,
        long calls,
        long refused,
        long failed,
        @Nullable Instant lastUsedAt,
        @Nullable Instant lastRefusedAt,
        BigDecimal cost) {}
