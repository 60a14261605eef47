package dev.toolgate.store.audit;

import dev.toolgate.store.Sessions;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes batches into the chain of this instance. Used by one thread at a time. */
final class AuditWriter implements GroupCommit.Writer<AuditItem>, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(AuditWriter.class);
    private static final String KEY_TAKEN = "23505";

    private final Sessions sessions;
    private final UnfinishedCalls unfinished = new UnfinishedCalls();
    private final Anchors anchors;
    private @Nullable AuditSession session;
    private @Nullable UUID instanceId;

    AuditWriter(Sessions sessions, Duration anchorEvery) {
        this.sessions = sessions;
        this.anchors = new Anchors(anchorEvery);
    }

    /** What nobody will finish but us. */
    UnfinishedCalls unfinished() {
        return unfinished;
    }

    @Override
    public Set<AuditItem> write(List<AuditItem> items) throws SQLException {
        AuditBatch batch = new AuditBatch(items);
        List<AuditItem.Ended> plain = batch.withoutIntents();
        if (plain.isEmpty() || !isWrittenAtOnce(plain)) {
            inTransaction(session -> AuditRows.append(session, batch.write(session)));
        }
        return batch.late();
    }

    /**
     * Writes and commits in one round trip, which is all that most batches need.
     *
     * @return false if nothing was written, because a key belongs to another call or the connection was lost before
     */
    private boolean isWrittenAtOnce(List<AuditItem.Ended> calls) throws SQLException {
        AuditSession current = session();
        long before = current.lastSequence();
        try {
            current.advance(current.committing(() -> AuditRows.appendAtOnce(current, calls)));
            return true;
        } catch (SQLException failed) {
            if (KEY_TAKEN.equals(failed.getSQLState())) {
                return false;
            }
            current.close();
            session = null;
            if (isAboutTheConnection(failed)) {
                return hasMovedOn(current.instanceId(), before, failed);
            }
            throw failed;
        } catch (RuntimeException failed) {
            current.close();
            session = null;
            throw failed;
        }
    }

    /** Whether what was sent before the connection was lost has arrived: nobody else moves this chain. */
    private boolean hasMovedOn(UUID chain, long before, SQLException lost) throws CommitUnknown {
        try {
            Long last = session().lastSequenceOf(chain); // final, if another instance has declared this one dead
            if (last != null) {
                return last > before;
            }
        } catch (SQLException unreachable) {
            lost.addSuppressed(unreachable);
        }
        throw new CommitUnknown(lost);
    }

    /** Puts on record what nobody else will: intents of instances that are dead, and abandoned ones. */
    void closeInterrupted() throws SQLException {
        inTransaction(current -> AuditRows.append(current, UnfinishedCalls.ofTheDead(current)));
        List<Long> own = unfinished.abandoned();
        if (!own.isEmpty()) {
            inTransaction(current -> AuditRows.append(current, UnfinishedCalls.interrupt(current, own)));
            unfinished.interrupted(own);
        }
        List<Long> notBegun = unfinished.withdrawn();
        if (!notBegun.isEmpty()) {
            inTransaction(current -> {
                UnfinishedCalls.release(current, notBegun);
                return null;
            });
            unfinished.released(notBegun);
        }
    }

    /** Carries the heads of other chains into this one, where they have moved on. */
    void anchor() throws SQLException {
        inTransaction(anchors::append);
        anchors.appended();
    }

    /** What is written in one transaction. */
    private interface Work {
        /** Where the chain ends with it; {@code null} if nothing was added. */
        @Nullable
        ChainLink write(AuditSession session) throws SQLException;
    }

    private void inTransaction(Work work) throws SQLException {
        AuditSession known = session;
        try {
            attempt(work);
        } catch (CommitUnknown perhapsWritten) {
            throw perhapsWritten;
        } catch (SQLException failed) {
            if (known == null || !isAboutTheConnection(failed)) {
                throw failed;
            }
            attempt(work); // the connection was lost some time ago; nothing was written
        }
    }

    private void attempt(Work work) throws SQLException {
        AuditSession current = session();
        try {
            ChainLink last = work.write(current);
            commit(current);
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

    private static void commit(AuditSession current) throws SQLException {
        try {
            current.connection().commit();
        } catch (SQLException unknown) {
            throw new CommitUnknown(unknown);
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
        if (error instanceof IllegalArgumentException) {
            return true; // it could not even be sent
        }
        String state = error instanceof SQLException sql ? sql.getSQLState() : null;
        return state != null
                && (state.startsWith("22")
                        || state.startsWith("23")
                        || state.startsWith("54")
                        || "55P03".equals(state));
    }

    private static boolean isAboutTheConnection(SQLException error) {
        String state = error.getSQLState();
        return state != null && (state.startsWith("08") || state.startsWith("57P"));
    }

    @Override
    public int weight(AuditItem item) {
        return item.weight();
    }

    @Override
    public void tick() {
        try {
            closeInterrupted();
            if (anchors.areDue()) {
                anchor();
            }
        } catch (SQLException unreachable) {
            LOG.debug("Interrupted calls are closed and chains tied later", unreachable);
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
                anchor();
                current.end();
            } catch (SQLException unreachable) {
                LOG.debug("The instance is ended by whoever comes next", unreachable);
            }
            current.close();
        }
    }
}
