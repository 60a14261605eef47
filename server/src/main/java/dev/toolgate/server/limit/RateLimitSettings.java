package dev.toolgate.server.limit;

import org.jspecify.annotations.Nullable;

/**
 * Which limits there are; {@code null} means none.
 *
 * @param perAgentAndTool for each tool an agent calls, under whatever name
 * @param perAgent for all calls of an agent
 * @param perTenant for all calls of a tenant
 */
public record RateLimitSettings(
        @Nullable Limit perAgentAndTool,
        @Nullable Limit perAgent,
        @Nullable Limit perTenant) {
    /** No limits at all, as long as nobody sets any. */
    public static final RateLimitSettings OFF = new RateLimitSettings(null, null, null);
}
