package dev.toolgate.store.audit.record;

import dev.toolgate.core.audit.AuditLog;

/** Computes the digest of a record, in the version with which it was written. */
public final class RecordDigest {
    /** Values in a fixed order. Must never change, or existing records would not verify. */
    static final int FIRST = 1;

    /** Names and values, sorted by name, without columns that have no value. */
    static final int CURRENT = 2;

    /** The indexes of the columns in {@link AuditColumns#ALL}, sorted by column name. */
    private static final int[] BY_NAME =
            AuditColumns.BY_NAME.stream().mapToInt(AuditColumns.ALL::indexOf).toArray();

    /** The encoded column names, in the same order. */
    private static final byte[][] NAMES = AuditColumns.BY_NAME.stream()
            .map(column -> FieldDigest.encoded(column.name()))
            .toArray(byte[][]::new);

    private RecordDigest() {}

    /** Whether the digest covers every value; otherwise one could be changed without being detected. */
    static boolean covers(CallFacts facts) {
        return switch (facts.digestVersion()) {
            case FIRST ->
                facts.kind() == AuditLog.Kind.CALL
                        && AuditColumns.ADDED.stream()
                                .filter(AuditColumn::mayBeStoredAsNone)
                                .allMatch(column -> column.text(facts) == null);
            case CURRENT -> true;
            default -> false;
        };
    }

    public static String of(RecordTexts texts) {
        return texts.facts().digestVersion() == FIRST ? first(texts.facts()) : current(texts);
    }

    private static String current(RecordTexts texts) {
        // The first version never begins with an absent value, so the inputs of the two versions are always different.
        FieldDigest digest = new FieldDigest().add((String) null);
        for (int next = 0; next < BY_NAME.length; next++) {
            String value = texts.get(BY_NAME[next]);
            if (value != null) {
                digest = digest.addEncoded(NAMES[next]).add(value);
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
        // Columns that were added while this was the only version are included only if they have a value.
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
