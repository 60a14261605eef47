package dev.toolgate.server.config;

import dev.toolgate.core.setting.Setting;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** How often tools may be called; what is not set is not limited, but for calls that are refused. */
public record LimitSettings(
        @Setting("Calls of one agent.") @Nullable Rate perAgent,

        @Setting("Calls of one tool by one agent.") @Nullable
        Rate perTool,

        @Setting("Calls of one tenant.") @Nullable Rate perTenant,

        @Setting("Calls of one agent that are refused, on each server.")
        RefusedRate refused) {

    /**
     * So many calls in a period.
     *
     * @param burst null if as many as there are calls in a period
     */
    public record Rate(
            @Setting(value = "How many calls in a period.", least = "1", most = "1000000000")
            int calls,

            @Setting(value = "The period.", initial = "1m", least = "1s", most = "365d")
            Duration period,

            @Setting(
                    value = "How many calls may come at once; as many as in a period if not set.",
                    least = "1",
                    most = "1000000000")
            @Nullable
            Integer burst) {}

    /** So many refused calls in a period; an agent that makes more is turned away for a while. */
    public record RefusedRate(
            @Setting(
                    value = "How many refused calls in a period; 0 for no limit.",
                    initial = "300",
                    least = "0",
                    most = "1000000")
            int calls,

            @Setting(value = "The period.", initial = "1m", least = "1s", most = "31d")
            Duration period) {}
}
