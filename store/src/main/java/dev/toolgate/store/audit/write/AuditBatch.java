package dev.toolgate.store.audit.write;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Items that are written together. */
final class AuditBatch {
    private final List<AuditItem> items;
    private Set<AuditItem> late = Set.of();

    AuditBatch(List<AuditItem> items) {
        this.items = items;
    }

    /**
     * Its calls, if it is nothing but calls that had no intent, as those of tools that only read and those that were
     * refused; else empty.
     */
    List<AuditItem.Ended> withoutIntents() {
        List<AuditItem.Ended> calls = new ArrayList<>(items.size());
        for (AuditItem item : items) {
            if (!(item instanceof AuditItem.Ended call)
                    || call.intent() != null
                    || (call.answer() != null && call.answer().held())) {
                return List.of();
            }
            calls.add(call);
        }
        return calls;
    }

    /** Those that were left out because their keys belonged to others. */
    Set<AuditItem> late() {
        return late;
    }

    /** Writes everything but the records; may be called again if the transaction came to nothing. */
    List<AuditItem.Ended> write(AuditSession session) throws SQLException {
        Set<AuditItem> tooLate = RequestKeyRows.take(session.connection(), items);
        List<AuditItem.Ended> withKey = new ArrayList<>();
        for (AuditItem item : items) {
            if (item instanceof AuditItem.Ended call
                    && call.answer() != null
                    && call.answer().held()) {
                withKey.add(call);
            }
        }
        if (!withKey.isEmpty()) {
            tooLate.addAll(RequestKeyRows.complete(session.connection(), withKey));
        }
        // A call that has started is on record, whoever has its key.
        tooLate.removeIf(AuditItem::isWrittenAnyway);
        late = tooLate;
        List<AuditItem.Intended> intents = new ArrayList<>();
        List<AuditItem.Ended> calls = new ArrayList<>(items.size());
        List<Long> closed = new ArrayList<>();
        for (AuditItem item : items) {
            if (late.contains(item)) {
                continue;
            }
            switch (item) {
                case AuditItem.Intended intent -> intents.add(intent);
                case AuditItem.Ended call -> {
                    calls.add(call);
                    if (call.intent() != null) {
                        closed.add(call.intent());
                    }
                }
            }
        }
        if (!intents.isEmpty()) {
            IntentRows.insert(session, intents);
        }
        if (!closed.isEmpty()) {
            IntentRows.close(session, closed);
        }
        return calls;
    }
}
