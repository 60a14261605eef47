package dev.toolgate.server.operate.siem;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** The source of audit records for export. */
@FunctionalInterface
public interface AuditSource {

    /**
     * One record.
     *
     * @param json the record as one line of JSON, with secrets masked
     * @param cursor the opaque cursor after it
     */
    record Item(String json, String cursor) {}

    /**
     * The next records, oldest first; empty if there are none yet. A record that becomes visible late must not be
     * skipped, so a source may lag behind the newest ones.
     *
     * @param cursor the cursor after the last delivered record; null for the beginning
     * @throws dev.toolgate.core.call.Unavailable if they cannot be read
     */
    List<Item> after(@Nullable String cursor, int max);
}
