package dev.toolgate.store.audit.write;

import dev.toolgate.store.requestkey.KeyRequest.StoredId;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** A batch of items that are written in one transaction. */
final class AuditBatch {
    private final List<AuditItem> items;
    private Set<AuditItem> keyConflicts = Set.of();

    AuditBatch(List<AuditItem> items) {
        this.items = items;
    }

    /**
     * The rows of the batch, if it can be sent in one round trip: no statement then depends on the result of an earlier
     * one, except that a key of another call, or a permit that has ended, fails the whole batch.
     */
    Optional<BatchRows> inOneRoundTrip() {
        List<AuditItem> claiming = new ArrayList<>();
        List<AuditItem.Intended> permits = new ArrayList<>();
        List<KeyOutcome> reported = new ArrayList<>();
        List<KeyOutcome> completed = new ArrayList<>();
        List<AuditItem.Intended> intents = new ArrayList<>();
        List<Long> closed = new ArrayList<>();
        List<AuditItem.Ended> calls = new ArrayList<>(items.size());
        for (AuditItem item : items) {
            boolean claims = item.claims() != null;
            switch (item) {
                case AuditItem.Intended intent -> {
                    if (claims && intent.permitUntil() != null) {
                        permits.add(intent);
                    } else if (claims) {
                        claiming.add(intent);
                    }
                    intents.add(intent);
                }
                case AuditItem.Ended call -> {
                    if (claims) {
                        claiming.add(call);
                    }
                    KeyOutcome answer = call.answer();
                    if (answer != null && call.endsPermit()) {
                        reported.add(answer);
                    } else if (answer != null && answer.held()) {
                        if (!call.isWrittenWithoutKey()) {
                            return Optional.empty(); // written only if its key was not completed before
                        }
                        completed.add(answer);
                    }
                    if (call.intent() != null) {
                        closed.add(call.intent());
                    }
                    calls.add(call);
                }
            }
        }
        return Optional.of(new BatchRows(claiming, permits, completed, reported, intents, closed, calls));
    }

    /** Items that were not written, because their keys belong to other calls. */
    Set<AuditItem> keyConflicts() {
        return keyConflicts;
    }

    /** Writes keys and intents, and returns the calls to append; can be repeated if the transaction fails. */
    List<AuditItem.Ended> write(OpenChain open) throws SQLException {
        Set<AuditItem> conflicts = RequestKeyRows.take(open.connection(), items);
        List<AuditItem.Ended> withKey = new ArrayList<>();
        for (AuditItem item : items) {
            if (item instanceof AuditItem.Ended call
                    && call.answer() != null
                    && call.answer().held()) {
                withKey.add(call);
            }
        }
        if (!withKey.isEmpty()) {
            conflicts.addAll(RequestKeyRows.complete(open.connection(), withKey));
        }
        // A call that has started is always recorded, even if its key belongs to another call.
        conflicts.removeIf(AuditItem::isWrittenWithoutKey);
        keyConflicts = conflicts;
        List<AuditItem.Intended> intents = new ArrayList<>();
        List<AuditItem.Ended> calls = new ArrayList<>(items.size());
        List<Long> closed = new ArrayList<>();
        List<StoredId> reported = new ArrayList<>();
        for (AuditItem item : items) {
            if (keyConflicts.contains(item)) {
                continue;
            }
            switch (item) {
                case AuditItem.Intended intent -> intents.add(intent);
                case AuditItem.Ended call -> {
                    calls.add(call);
                    if (call.intent() != null) {
                        closed.add(call.intent());
                    }
                    if (call.endsPermit() && call.answer() != null) {
                        reported.add(StoredId.of(call.answer().key()));
                    }
                }
            }
        }
        if (!intents.isEmpty()) {
            IntentRows.insert(open, intents);
            PermitRows.begin(open.connection(), intents);
        }
        if (!reported.isEmpty()) {
            List<IntentRows.Former> _ = PermitRows.end(open.connection(), reported);
        }
        if (!closed.isEmpty()) {
            IntentRows.close(open, closed);
        }
        return calls;
    }
}
