package dev.toolgate.server.config;

import dev.toolgate.core.setting.Setting;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Settings of rate limits; only refused calls are limited by default. */
public record LimitSettings(
        @Setting("Calls of one agent.") @Nullable Rate perAgent,

        @Setting("Calls of one tool by one agent.") @Nullable
        Rate perTool,

        @Setting("Calls of one tenant.") @Nullable Rate perTenant,

        @Setting("Refused calls of one agent, per server.") RefusedRate refused) {

    /**
     * A number of calls per period.
     *
     * @param burst null for the number of calls per period
     */
    public record Rate(
            @Setting(value = "The number of calls per period.", min = "1", max = "1000000")
            int calls,

            @Setting(value = "The period.", defaultValue = "1m", min = "1s", max = "31d")
            Duration period,

            @Setting(
                    value = "The maximum number of calls at once; the number per period if not set.",
                    min = "1",
                    max = "1000000")
            @Nullable
            Integer burst) {}

    /** A number of refused calls per period; an agent that exceeds it is blocked for a while. */
    public record RefusedRate(
            @Setting(
                    value = "The number of refused calls per period; 0 for no limit.",
                    defaultValue = "300",
                    min = "0",
                    max = "1000000")
            int calls,

            @Setting(value = "The period.", defaultValue = "1m", min = "1s", max = "31d")
            Duration period) {}
}
