package dev.toolgate.store.audit.write;

import dev.toolgate.store.audit.record.CallFacts;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Intents that no caller will close any more, and what becomes of them. */
public final class UnfinishedCalls {
    private final Queue<Long> abandoned = new ConcurrentLinkedQueue<>();
    private final Queue<Long> withdrawn = new ConcurrentLinkedQueue<>();

    /** The outcome of a call could not be recorded, so its intent is all there is. */
    public void abandon(long intent) {
        abandoned.add(intent);
    }

    /** The intent may have been written, but nobody was told so and its call has not begun. */
    public void withdraw(long intent) {
        withdrawn.add(intent);
    }

    List<Long> abandoned() {
        return List.copyOf(abandoned);
    }

    public List<Long> withdrawn() {
        return List.copyOf(withdrawn);
    }

    void interrupted(List<Long> intents) {
        abandoned.removeAll(intents);
    }

    void released(List<Long> intents) {
        withdrawn.removeAll(intents);
    }

    /** Of instances that are no more. */
    static List<AuditItem.Ended> fromDeadInstances(AuditSession session) throws SQLException {
        List<IntentRows.Former> former = new ArrayList<>();
        for (UUID dead : dead(session)) {
            former.addAll(IntentRows.take(session.connection(), dead, null));
        }
        return interrupt(session.connection(), former);
    }

    /** Of this instance: they began, and how they ended is not known. */
    static List<AuditItem.Ended> interrupt(AuditSession session, List<Long> intents) throws SQLException {
        return interrupt(session.connection(), IntentRows.take(session.connection(), session.instanceId(), intents));
    }

    /** Of this instance: they never began, so there is nothing to record. */
    static void release(AuditSession session, List<Long> intents) throws SQLException {
        List<CallFacts> keyed = keyed(IntentRows.take(session.connection(), session.instanceId(), intents));
        if (!keyed.isEmpty()) {
            RequestKeyRows.release(session.connection(), keyed);
        }
    }

    private static List<AuditItem.Ended> interrupt(Connection connection, List<IntentRows.Former> former)
            throws SQLException {
        List<CallFacts> keyed = keyed(former);
        if (!keyed.isEmpty()) {
            RequestKeyRows.interrupt(connection, keyed);
        }
        return former.stream()
                .map(intent -> new AuditItem.Ended(intent.facts(), null, null))
                .toList();
    }

    private static List<CallFacts> keyed(List<IntentRows.Former> former) {
        return former.stream()
                .filter(IntentRows.Former::keyed)
                .map(IntentRows.Former::facts)
                .toList();
    }

    // Whoever gets the lock of an instance knows that it is gone, and ends it in the same transaction.
    private static List<UUID> dead(AuditSession current) throws SQLException {
        List<UUID> dead = new ArrayList<>();
        try (PreparedStatement update = current.connection().prepareStatement("""
                UPDATE audit_instances i SET ended_at = CURRENT_TIMESTAMP
                FROM (SELECT instance_id FROM audit_instances
                      WHERE ended_at IS NULL AND instance_id <> ?
                        AND CASE WHEN ended_at IS NULL THEN pg_try_advisory_xact_lock(21607, number) END
                      FOR UPDATE SKIP LOCKED) gone
                WHERE i.instance_id = gone.instance_id AND i.ended_at IS NULL
                RETURNING i.instance_id""")) {
            update.setObject(1, current.instanceId());
            try (ResultSet rows = update.executeQuery()) {
                while (rows.next()) {
                    dead.add(rows.getObject(1, UUID.class));
                }
            }
        }
        return dead;
    }
}
