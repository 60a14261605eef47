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

/** Intents that no caller will close: they are recorded as interrupted, or withdrawn. */
public final class UnfinishedCalls {
    private final Queue<Long> abandoned = new ConcurrentLinkedQueue<>();
    private final Queue<Long> withdrawn = new ConcurrentLinkedQueue<>();

    /** The outcome of a call could not be recorded, so it will be recorded as interrupted. */
    public void abandon(long intent) {
        abandoned.add(intent);
    }

    /** The intent may have been written, but was not confirmed, so its call has not started. */
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

    /** Takes the intents of dead instances. */
    static List<AuditItem.Ended> fromDeadInstances(OpenChain open) throws SQLException {
        List<IntentRows.Former> former = new ArrayList<>();
        for (UUID dead : dead(open)) {
            former.addAll(IntentRows.take(open.connection(), dead, null));
        }
        return interrupt(open.connection(), former);
    }

    /** Takes intents of this instance whose calls started and whose outcome is unknown. */
    static List<AuditItem.Ended> interrupt(OpenChain open, List<Long> intents) throws SQLException {
        return interrupt(open.connection(), IntentRows.take(open.connection(), open.instanceId(), intents));
    }

    /** Removes intents of this instance whose calls never started; nothing is recorded. */
    static void release(OpenChain open, List<Long> intents) throws SQLException {
        List<CallFacts> keyed = keyed(IntentRows.take(open.connection(), open.instanceId(), intents));
        if (!keyed.isEmpty()) {
            RequestKeyRows.release(open.connection(), keyed);
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

    // Getting the lock of an instance proves that it is dead; it is marked as ended in the same transaction.
    private static List<UUID> dead(OpenChain current) throws SQLException {
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
