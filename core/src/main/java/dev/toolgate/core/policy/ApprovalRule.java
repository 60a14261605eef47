package dev.toolgate.core.policy;

import org.jspecify.annotations.Nullable;

/** What a person reads when a capability asks for an approval. */
public record ApprovalRule(
        String approvalRuleId, String title, @Nullable String description) {}
