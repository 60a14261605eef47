package dev.toolgate.store.audit.write;

import dev.toolgate.store.audit.chain.ChainAlarms;
import dev.toolgate.store.audit.chain.OwnChain;
import dev.toolgate.store.audit.record.AuditTables;
import dev.toolgate.store.checkpoint.TreeHead;
import dev.toolgate.store.connection.UnpooledConnections;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.postgresql.util.PSQLException;
import org.postgresql.util.ServerErrorMessage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes batches into the chain of this instance. Used by one thread at a time. */
public final class AuditWriter implements GroupCommit.Writer<AuditItem>, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(AuditWriter.class);
    private static final String KEY_TAKEN = "23505";
    /** The part of PostgreSQL that looks for the partition of a row; the state of its error means other things too. */
    private static final String PARTITION_SEARCH = "ExecFindPartition";

    private static final Duration HEAD_CHECK = Duration.ofSeconds(5);

    private final UnpooledConnections sessions;
    private final UnfinishedCalls unfinished = new UnfinishedCalls();
    private final Anchors anchors;
    private final ChainAlarms alarms = new ChainAlarms();
    private final List<OwnChain> chains = new CopyOnWriteArrayList<>();
    private @Nullable AuditSession session;
    private long lastHeadCheck = System.nanoTime();

    public AuditWriter(UnpooledConnections sessions, Duration anchorEvery) {
        this.sessions = sessions;
        this.anchors = new Anchors(anchorEvery);
    }

    /** What nobody will finish but us. */
    public UnfinishedCalls unfinished() {
        return unfinished;
    }

    /** Where the chains of this process end, the current one last. For any thread. */
    public List<TreeHead> heads() {
        return chains.stream().map(OwnChain::head).toList();
    }

    /** Of chains that somebody else has changed. For any thread. */
    ChainAlarms alarms() {
        return alarms;
    }

    @Override
    public Set<AuditItem> write(List<AuditItem> items) throws SQLException {
        try {
            return write(items, AuditTables.MONTHS);
        } catch (SQLException failed) {
            // Many are tried again one by one, so that only those go beside the months that have none.
            if (items.size() > 1 || !isAboutAMissingMonth(failed)) {
                throw failed;
            }
            return write(items, AuditTables.REST);
        }
    }

    private Set<AuditItem> write(List<AuditItem> items, String table) throws SQLException {
        AuditBatch batch = new AuditBatch(items);
        List<AuditItem.Ended> plain = batch.withoutIntents();
        if (plain.isEmpty() || !isWrittenAtOnce(plain, table)) {
            inTransaction(session -> AuditRows.isAppended(session, batch.write(session), table));
        }
        return batch.late();
    }

    /**
     * Writes and commits in one round trip, which is all that most batches need.
     *
     * @return false if nothing was written, because a key belongs to another call or the connection was lost before
     */
    private boolean isWrittenAtOnce(List<AuditItem.Ended> calls, String table) throws SQLException {
        AuditSession current = session();
        long before = current.lastSequence();
        try {
            current.committing(() -> AuditRows.appendAtOnce(current, calls, table));
            current.advance();
            return true;
        } catch (SQLException failed) {
            if (KEY_TAKEN.equals(failed.getSQLState())) {
                return false;
            }
            current.close();
            session = null;
            if (isAboutTheConnection(failed)) {
                return hasMovedOn(current.chain(), before, failed);
            }
            throw failed;
        } catch (RuntimeException failed) {
            current.close();
            session = null;
            throw failed;
        }
    }

    /** Whether what was sent before the connection was lost has arrived: nobody else moves this chain. */
    private boolean hasMovedOn(OwnChain chain, long before, SQLException lost) throws CommitUnknown {
        try {
            session(); // which asks the database where the chain ends
            if (!alarms.concern(chain)) {
                return chain.lastSequence() > before;
            }
        } catch (SQLException unreachable) {
            lost.addSuppressed(unreachable);
        }
        throw new CommitUnknown(lost);
    }

    /** Puts on record what nobody else will: intents of instances that are dead, and abandoned ones. */
    public void closeInterrupted() throws SQLException {
        record(UnfinishedCalls::fromDeadInstances);
        List<Long> own = unfinished.abandoned();
        if (!own.isEmpty()) {
            record(current -> UnfinishedCalls.interrupt(current, own));
            unfinished.interrupted(own);
        }
        List<Long> notBegun = unfinished.withdrawn();
        if (!notBegun.isEmpty()) {
            inTransaction(current -> {
                UnfinishedCalls.release(current, notBegun);
                return false;
            });
            unfinished.released(notBegun);
        }
    }

    /** Finds calls to put on record, in the transaction that does. */
    private interface Found {
        List<AuditItem.Ended> in(AuditSession session) throws SQLException;
    }

    private void record(Found calls) throws SQLException {
        try {
            inTransaction(current -> AuditRows.isAppended(current, calls.in(current), AuditTables.MONTHS));
        } catch (SQLException failed) {
            if (!isAboutAMissingMonth(failed)) {
                throw failed;
            }
            inTransaction(current -> AuditRows.isAppended(current, calls.in(current), AuditTables.REST));
        }
    }

    /** Carries the heads of other chains into this one, where they have moved on. */
    void anchor() throws SQLException {
        inTransaction(anchors::isAppended);
        anchors.appended();
    }

    /** What is written in one transaction. */
    private interface Work {
        /** Whether it added to the chain. */
        boolean isAdding(AuditSession session) throws SQLException;
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
            boolean added = work.isAdding(current);
            commit(current);
            if (added) {
                current.advance();
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
            OwnChain known = chains.isEmpty() ? null : chains.getLast();
            current = AuditSession.open(sessions, known, alarms);
            session = current;
            if (current.chain() != known) {
                chains.add(current.chain());
            }
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

    private static boolean isAboutAMissingMonth(SQLException error) {
        ServerErrorMessage said = error instanceof PSQLException server ? server.getServerErrorMessage() : null;
        return said != null && PARTITION_SEARCH.equals(said.getRoutine());
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
            checkHead();
            closeInterrupted();
            if (anchors.areDue()) {
                anchor();
            }
        } catch (SQLException unreachable) {
            LOG.debug("Interrupted calls are closed and chains tied later", unreachable);
        }
    }

    /** A chain that somebody else has changed is noticed, and not gone on with, also while nothing is written. */
    void checkHead() throws SQLException {
        AuditSession current = session;
        if (current == null || System.nanoTime() - lastHeadCheck < HEAD_CHECK.toNanos()) {
            return;
        }
        lastHeadCheck = System.nanoTime();
        try {
            if (current.isAsRemembered()) {
                return;
            }
        } catch (SQLException lost) {
            current.close();
            session = null;
            throw lost;
        }
        current.close();
        session = null;
        session();
    }

    /** Lets go of the database without a word, as a process does that is killed. */
    public void abort() {
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
