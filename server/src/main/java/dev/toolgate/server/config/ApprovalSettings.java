package dev.toolgate.server.config;

import dev.toolgate.core.approval.ApprovalTerms;
import dev.toolgate.core.setting.Setting;
import dev.toolgate.core.tool.Danger;
import dev.toolgate.core.tool.ToolSpec;
import java.time.Duration;

/** How long calls wait for a person's yes, and whose yes they need. */
public record ApprovalSettings(
        @Setting(
                value = "How long a caller waits for an approval, and its question with it.",
                initial = "30s",
                least = "1s",
                most = "1h",
                formerly = "patience")
        Duration timeout,

        @Setting(
                value = "How long a question stays open whose caller comes back for the outcome later.",
                initial = "1h",
                least = "1s",
                most = "30d")
        Duration expireAfter,

        @Setting(value = "Whether the key or person that made a call may not approve it.", initial = "false")
        boolean fourEyes,

        @Setting(
                value = "How many different people must approve a call of a dangerous tool.",
                initial = "1",
                least = "1",
                most = "5")
        int dangerousApprovers) {

    /** Whose yes a held call of a tool needs. */
    public ApprovalTerms termsOf(ToolSpec<?> tool) {
        return new ApprovalTerms(
                fourEyes ? ApprovalTerms.Approver.NOT_THE_CALLER : ApprovalTerms.Approver.ANYBODY,
                tool.danger() == Danger.DANGEROUS ? dangerousApprovers : 1);
    }
}
