package dev.toolgate.core.policy;

import org.jspecify.annotations.Nullable;

/** Describes to approvers why a capability requires approval. */
public record ApprovalRule(
        String approvalRuleId, String title, @Nullable String description) {}
