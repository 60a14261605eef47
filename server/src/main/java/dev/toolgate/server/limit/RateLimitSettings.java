package dev.toolgate.server.limit;

import org.jspecify.annotations.Nullable;

/**
 * The rate limits; {@code null} means none.
 *
 * @param perAgentAndTool for each tool an agent calls, by any of its names
 * @param perAgent for all calls of an agent
 * @param perTenant for all calls of a tenant
 */
public record RateLimitSettings(
        @Nullable Limit perAgentAndTool,
        @Nullable Limit perAgent,
        @Nullable Limit perTenant) {
    /** No limits, the default. */
    public static final RateLimitSettings OFF = new RateLimitSettings(null, null, null);
}
