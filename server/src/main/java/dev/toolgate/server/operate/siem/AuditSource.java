package dev.toolgate.server.operate.siem;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Where the records of the audit log come from, for those who follow it. */
@FunctionalInterface
public interface AuditSource {

    /**
     * One record.
     *
     * @param json the record as one JSON object without line ends, without secrets
     * @param cursor the place after it; means something to the source only
     */
    record Item(String json, String cursor) {}

    /**
     * The next records, oldest first; none if there are none yet. A record that becomes visible late must still be
     * handed out, so a source may stay behind the newest ones for a moment.
     *
     * @param cursor the place after the last record that was taken; null for the very beginning
     * @throws dev.toolgate.core.call.Unavailable if they cannot be read now
     */
    List<Item> after(@Nullable String cursor, int most);
}
