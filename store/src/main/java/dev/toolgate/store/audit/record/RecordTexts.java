package dev.toolgate.store.audit.record;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** The values of a record as text, computed once on the caller's thread for both the digest and the row. */
public final class RecordTexts {
    private static final List<AuditColumn<?>> COLUMNS = AuditColumns.ALL;

    private final CallFacts facts;
    /** In the order of {@link AuditColumns#ALL}. */
    private final @Nullable String[] texts = new @Nullable String[COLUMNS.size()];

    public RecordTexts(CallFacts facts) {
        this.facts = facts;
        for (int column = 0; column < texts.length; column++) {
            texts[column] = COLUMNS.get(column).text(facts);
        }
    }

    public CallFacts facts() {
        return facts;
    }

    /**
     * The value as the digest uses it; {@code null} if there is none.
     *
     * @param column its index in {@link AuditColumns#ALL}
     */
    @Nullable
    String get(int column) {
        return texts[column];
    }
}
