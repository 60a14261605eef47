package dev.toolgate.store.audit;

import dev.toolgate.store.Sessions;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes batches into the chain of this instance. Used by one thread at a time. */
final class AuditWriter implements GroupCommit.Writer<AuditItem>, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(AuditWriter.class);

    private final Sessions sessions;
    private final Queue<Long> abandoned = new ConcurrentLinkedQueue<>();
    private @Nullable AuditSession session;
    private @Nullable UUID instanceId;

    AuditWriter(Sessions sessions) {
        this.sessions = sessions;
    }

    @Override
    public void write(List<AuditItem> items) throws SQLException {
        List<AuditItem.Intended> intents = new ArrayList<>();
        List<AuditItem.Ended> calls = new ArrayList<>(items.size());
        List<Long> closed = new ArrayList<>();
        for (AuditItem item : items) {
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
        inTransaction(current -> {
            if (!intents.isEmpty()) {
                IntentRows.insert(current, intents);
            }
            if (!closed.isEmpty()) {
                IntentRows.take(current.connection(), current.instanceId(), closed);
            }
            return calls;
        });
    }

    /** The outcome of a call could not be recorded, so its intent is all there is. */
    void abandon(long intent) {
        abandoned.add(intent);
    }

    /** Puts on record what nobody else will: intents of instances that are dead, and abandoned ones. */
    void closeInterrupted() throws SQLException {
        inTransaction(current -> {
            List<CallFacts> interrupted = new ArrayList<>();
            Connection connection = current.connection();
            for (UUID dead : dead(current)) {
                interrupted.addAll(IntentRows.take(connection, dead, null));
            }
            return interrupted.stream()
                    .map(facts -> new AuditItem.Ended(facts, null))
                    .toList();
        });
        List<Long> own = new ArrayList<>(abandoned);
        if (!own.isEmpty()) {
            inTransaction(current -> IntentRows.take(current.connection(), current.instanceId(), own).stream()
                    .map(facts -> new AuditItem.Ended(facts, null))
                    .toList());
            abandoned.removeAll(own);
        }
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

    private interface Work {
        List<AuditItem.Ended> before(AuditSession session) throws SQLException;
    }

    private void inTransaction(Work work) throws SQLException {
        AuditSession current = session();
        try {
            List<AuditItem.Ended> calls = work.before(current);
            ChainLink last = calls.isEmpty() ? null : AuditRows.append(current, calls);
            current.connection().commit();
            if (last != null) {
                current.advance(last);
            }
        } catch (SQLException | RuntimeException failed) {
            // Whether the commit arrived is unknown, so the head is read again from the database.
            current.close();
            session = null;
            throw failed;
        }
    }

    private AuditSession session() throws SQLException {
        AuditSession current = session;
        if (current == null) {
            current = AuditSession.open(sessions, instanceId);
            session = current;
            instanceId = current.instanceId();
        }
        return current;
    }

    @Override
    public boolean isAboutAnItem(Exception error) {
        String state = error instanceof SQLException sql ? sql.getSQLState() : null;
        return state != null && (state.startsWith("22") || state.startsWith("23") || state.startsWith("54"));
    }

    @Override
    public int weight(AuditItem item) {
        return item.facts().parameters().length();
    }

    @Override
    public void tick() {
        try {
            closeInterrupted();
        } catch (SQLException unreachable) {
            LOG.debug("Interrupted calls are closed later", unreachable);
        }
    }

    /** Lets go of the database without a word, as a process does that is killed. */
    void abort() {
        AuditSession current = session;
        if (current != null) {
            current.close();
        }
    }

    /** Ends the instance; intents that are still open stay for whoever comes next. */
    @Override
    public void close() {
        AuditSession current = session;
        if (current != null) {
            try {
                current.end();
            } catch (SQLException unreachable) {
                LOG.debug("The instance is ended by whoever comes next", unreachable);
            }
            current.close();
        }
    }
}
