package dev.toolgate.store.audit.query;

import dev.toolgate.store.audit.record.AuditRecord;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One page of records, in the requested order.
 *
 * @param next where the next page begins; {@code null} on the last page
 */
public record AuditPage(List<AuditRecord> records, @Nullable AuditPosition next) {
    public AuditPage {
        records = List.copyOf(records);
    }
}
