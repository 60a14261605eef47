package dev.toolgate.server.config;

import dev.toolgate.core.approval.ApprovalTerms;
import dev.toolgate.core.setting.Setting;
import dev.toolgate.core.tool.Danger;
import dev.toolgate.core.tool.ToolSpec;
import java.time.Duration;

/** Settings of approvals: how long calls wait for one, and whose approval they need. */
public record ApprovalSettings(
        @Setting(
                value = "How long an approval request stays open if its caller waits for the outcome.",
                defaultValue = "30s",
                min = "1s",
                max = "1h",
                formerly = "patience")
        Duration timeout,

        @Setting(
                value = "How long an approval request stays open if its caller collects the outcome later.",
                defaultValue = "1h",
                min = "1s",
                max = "30d")
        Duration expireAfter,

        @Setting(
                value = "Whether a call must be approved by a different key or person than the one that made it.",
                defaultValue = "false")
        boolean fourEyes,

        @Setting(
                value = "How many different people must approve a call of a dangerous tool.",
                defaultValue = "1",
                min = "1",
                max = "5")
        int dangerousApprovers) {

    /** Whose approval a held call of a tool needs. */
    public ApprovalTerms termsOf(ToolSpec<?> tool) {
        return new ApprovalTerms(
                fourEyes ? ApprovalTerms.Approver.NOT_THE_CALLER : ApprovalTerms.Approver.ANYBODY,
                tool.danger() == Danger.DANGEROUS ? dangerousApprovers : 1);
    }
}
