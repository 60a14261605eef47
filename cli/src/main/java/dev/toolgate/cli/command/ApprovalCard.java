package dev.toolgate.cli.command;

import dev.toolgate.cli.terminal.PrintableText;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/** An approval request as text. */
final class ApprovalCard {
    private static final String[][] LINES = {
        {"Approval", "approval_id"},
        {"State", "state"},
        {"Agent", "agent_id"},
        {"Asked by", "principal"},
        {"Tool", "tool_name"},
        {"Operation", "operation"},
        {"Session", "session_id"},
        {"Project", "project_id"},
        {"Request", "request_id"},
        {"Why", "reason"},
        {"Rule", "approval_rule_id"},
        {"Asked at", "asked_at"},
        {"Until", "expires_at"},
        {"Answered by", "answered_by"},
        {"Answered at", "answered_at"},
        {"Because", "answer_reason"},
        {"Scope", "scope"}
    };

    private ApprovalCard() {}

    /** The number of approvals given and needed, and by whom. */
    static String approvals(JsonNode approval) {
        String by = approval.path("approvals")
                .valueStream()
                .map(yes -> PrintableText.of(yes.path("by")))
                .collect(Collectors.joining(", "));
        return approval.path("approvals").size() + " of "
                + approval.path("approvals_needed").asInt() + " approvals" + (by.isEmpty() ? "" : " (" + by + ")");
    }

    static String of(JsonNode approval) {
        StringBuilder card = new StringBuilder();
        for (String[] line : LINES) {
            JsonNode value = approval.path(line[1]);
            if (value.isString()) {
                card.append(line[0])
                        .append(':')
                        .repeat(' ', 13 - line[0].length())
                        .append(PrintableText.of(value))
                        .append('\n');
            }
        }
        if (approval.path("approvals_needed").asInt(1) > 1) {
            card.append("Approvals:    ").append(approvals(approval)).append('\n');
        }
        if (!approval.path("caller_may_approve").asBoolean(true)) {
            card.append("Four eyes:    the caller may not approve it\n");
        }
        card.append("Parameters:   ")
                .append(PrintableText.of(approval.path("parameters").toString()));
        long masked = approval.path("masked_characters").asLong(0);
        if (masked > 0) {
            card.append("\nMasked:       ")
                    .append(masked == 1 ? "1 character" : "%,d characters".formatted(masked))
                    .append(" of the parameters are not shown");
        }
        JsonNode preview = approval.path("preview");
        if (preview.isString()) {
            card.append("\n\n")
                    .append(preview.stringValue().lines().map(PrintableText::of).collect(Collectors.joining("\n")));
        }
        return card.toString();
    }
}
