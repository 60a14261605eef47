package dev.toolgate.store.audit.query;

import dev.toolgate.store.audit.record.AuditRecord;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Some records, in the order they were asked for.
 *
 * @param next where the next page begins; {@code null} if there is none
 */
public record AuditPage(List<AuditRecord> records, @Nullable AuditPosition next) {
    public AuditPage {
        records = List.copyOf(records);
    }
}
