package dev.toolgate.store.audit.record;

import dev.toolgate.core.audit.AuditLog;

/** The digest of what a record says, by the version with which the record was written. */
public final class RecordDigest {
    /** Values in a fixed order. Never changes: records that were written with it must verify for as long as they live. */
    static final int FIRST = 1;

    /** Names and values in the order of the names, without those that have no value. */
    static final int CURRENT = 2;

    /** The places of the columns in {@link AuditColumns#ALL}, in the order of their names. */
    private static final int[] BY_NAME =
            AuditColumns.BY_NAME.stream().mapToInt(AuditColumns.ALL::indexOf).toArray();

    /** Their names in that order, as the digest takes them. */
    private static final byte[][] NAMES = AuditColumns.BY_NAME.stream()
            .map(column -> FieldDigest.prepared(column.name()))
            .toArray(byte[][]::new);

    private RecordDigest() {}

    /** Whether the digest says something about every value; what it does not cover could be changed unnoticed. */
    static boolean covers(CallFacts facts) {
        return switch (facts.digestVersion()) {
            case FIRST ->
                facts.kind() == AuditLog.Kind.CALL
                        && AuditColumns.ADDED.stream()
                                .filter(column -> column.presence() == AuditColumn.Presence.OPTIONAL)
                                .allMatch(column -> column.text(facts) == null);
            case CURRENT -> true;
            default -> false;
        };
    }

    public static String of(RecordTexts texts) {
        return texts.facts().digestVersion() == FIRST ? first(texts.facts()) : current(texts);
    }

    private static String current(RecordTexts texts) {
        // No digest of the first version begins with a value that is absent, so the two can never be mistaken.
        FieldDigest digest = new FieldDigest().add((String) null);
        for (int next = 0; next < BY_NAME.length; next++) {
            String value = texts.get(BY_NAME[next]);
            if (value != null) {
                digest = digest.addPrepared(NAMES[next]).add(value);
            }
        }
        return digest.hex();
    }

    private static String first(CallFacts facts) {
        FieldDigest digest = new FieldDigest()
                .add(facts.tenantId())
                .add(facts.requestId())
                .add(facts.timestamp().toString())
                .add(facts.agentId())
                .add(facts.sessionId())
                .add(facts.workspaceId())
                .add(facts.projectId())
                .add(facts.toolName())
                .add(facts.operation())
                .add(facts.parameters())
                .add(Boolean.toString(facts.allowed()))
                .add(facts.status().name())
                .add(facts.errorCode())
                .add(facts.denialReason())
                .add(facts.approvedBy())
                .add(AuditColumns.EXECUTION_TIME_MS.text(facts))
                .add(facts.resultSummary())
                .add(AuditColumns.COST.text(facts));
        // Columns that were added while this was the only version count only where they have a value.
        digest = facts.principal() == null ? digest : digest.add(facts.principal());
        if (facts.approvedAt() == null && facts.approvalReason() == null && facts.approvalRuleId() == null) {
            return digest.hex();
        }
        digest = digest.add(AuditColumns.APPROVED_AT.text(facts)).add(facts.approvalReason());
        return facts.approvalRuleId() == null
                ? digest.hex()
                : digest.add(facts.approvalRuleId()).hex();
    }
}
