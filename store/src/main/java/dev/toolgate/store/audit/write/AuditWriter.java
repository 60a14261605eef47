package dev.toolgate.store.audit.write;

import dev.toolgate.store.audit.chain.ChainAlarms;
import dev.toolgate.store.audit.chain.OwnChain;
import dev.toolgate.store.audit.record.AuditTables;
import dev.toolgate.store.checkpoint.TreeHead;
import dev.toolgate.store.connection.UnpooledConnections;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.postgresql.util.PSQLException;
import org.postgresql.util.ServerErrorMessage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes batches to the chain of this instance. Not thread-safe, except where stated. */
public final class AuditWriter implements GroupCommit.Writer<AuditItem>, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(AuditWriter.class);
    private static final String KEY_TAKEN = "23505";
    /** The routine that fails if a row has no partition; its SQL state alone is ambiguous. */
    private static final String PARTITION_SEARCH = "ExecFindPartition";

    private static final Duration HEAD_CHECK = Duration.ofSeconds(5);

    private final UnpooledConnections connections;
    private final UnfinishedCalls unfinished = new UnfinishedCalls();
    private final Anchors anchors;
    private final ChainAlarms alarms = new ChainAlarms();
    private final List<OwnChain> chains = new CopyOnWriteArrayList<>();
    private @Nullable OpenChain open;
    private long lastHeadCheck = System.nanoTime();

    public AuditWriter(UnpooledConnections connections, Duration anchorEvery) {
        this.connections = connections;
        this.anchors = new Anchors(anchorEvery);
    }

    /** Intents that no caller will close. */
    public UnfinishedCalls unfinished() {
        return unfinished;
    }

    /** The heads of the chains of this process, the current one last. Thread-safe. */
    public List<TreeHead> heads() {
        return chains.stream().map(OwnChain::head).toList();
    }

    /** Alarms about modified chains. Thread-safe. */
    ChainAlarms alarms() {
        return alarms;
    }

    @Override
    public Set<AuditItem> write(List<AuditItem> items) throws SQLException {
        try {
            return write(items, AuditTables.MONTHS);
        } catch (SQLException failed) {
            // A batch is retried item by item, so that only those without a partition go to the other table.
            if (items.size() > 1 || !isAboutAMissingMonth(failed)) {
                throw failed;
            }
            return write(items, AuditTables.REST);
        }
    }

    private Set<AuditItem> write(List<AuditItem> items, String table) throws SQLException {
        AuditBatch batch = new AuditBatch(items);
        Optional<BatchRows> rows = batch.inOneRoundTrip();
        if (rows.isEmpty() || !tryWriteInOneRoundTrip(rows.get(), table)) {
            inTransaction(open -> AuditRows.append(open, batch.write(open), table));
        }
        return batch.keyConflicts();
    }

    /**
     * Writes and commits in one round trip, which is enough for most batches.
     *
     * @return false if nothing was written, because a key belongs to another call, a permit has ended or the connection had been lost
     */
    private boolean tryWriteInOneRoundTrip(BatchRows batch, String table) throws SQLException {
        OpenChain current = openChain();
        long before = current.lastSequence();
        try {
            current.withAutoCommit(() -> AuditRows.writeInOneRoundTrip(current, batch, table));
            if (!batch.calls().isEmpty()) {
                current.advance();
            }
            return true;
        } catch (SQLException failed) {
            if (KEY_TAKEN.equals(failed.getSQLState()) || PermitRows.HAS_ENDED.equals(failed.getSQLState())) {
                return false;
            }
            current.close();
            open = null;
            if (isAboutTheConnection(failed)) {
                return wasCommitted(batch, current.chain(), before, failed);
            }
            throw failed;
        } catch (RuntimeException failed) {
            current.close();
            open = null;
            throw failed;
        }
    }

    /**
     * Whether the batch sent before the connection was lost was committed. Only this instance extends its chain and
     * writes its intents.
     */
    private boolean wasCommitted(BatchRows batch, OwnChain chain, long before, SQLException lost) throws CommitUnknown {
        try {
            OpenChain current = openChain(); // reads the head from the database
            if (!alarms.hasAlarm(chain)) {
                if (!batch.calls().isEmpty()) {
                    return chain.lastSequence() > before;
                }
                // The intents of an instance that was declared dead may have been recorded as interrupted.
                if (current.chain().id().equals(chain.id())) {
                    return IntentRows.isOpen(current, batch.intents().getFirst().number());
                }
            }
        } catch (SQLException unreachable) {
            lost.addSuppressed(unreachable);
        }
        throw new CommitUnknown(lost);
    }

    /** Records the open intents of dead instances, and abandoned ones of this instance, as interrupted. */
    public void closeInterrupted() throws SQLException {
        record(UnfinishedCalls::fromDeadInstances);
        record(PermitRows::expired);
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

    /** Finds calls to record, in the same transaction. */
    private interface Found {
        List<AuditItem.Ended> in(OpenChain open) throws SQLException;
    }

    private void record(Found calls) throws SQLException {
        try {
            inTransaction(current -> AuditRows.append(current, calls.in(current), AuditTables.MONTHS));
        } catch (SQLException failed) {
            if (!isAboutAMissingMonth(failed)) {
                throw failed;
            }
            inTransaction(current -> AuditRows.append(current, calls.in(current), AuditTables.REST));
        }
    }

    /** Appends an anchor if other chains have new records. */
    void anchor() throws SQLException {
        inTransaction(anchors::append);
        anchors.appended();
    }

    /** Work in one transaction. */
    private interface Work {
        /** Returns whether it appended to the chain. */
        boolean run(OpenChain open) throws SQLException;
    }

    private void inTransaction(Work work) throws SQLException {
        OpenChain known = open;
        try {
            attempt(work);
        } catch (CommitUnknown perhapsWritten) {
            throw perhapsWritten;
        } catch (SQLException failed) {
            if (known == null || !isAboutTheConnection(failed)) {
                throw failed;
            }
            attempt(work); // the connection had been lost before; nothing was written
        }
    }

    private void attempt(Work work) throws SQLException {
        OpenChain current = openChain();
        try {
            boolean added = work.run(current);
            commit(current);
            if (added) {
                current.advance();
            }
        } catch (SQLException | RuntimeException failed) {
            // The commit may have succeeded, so the head is read again from the database.
            current.close();
            open = null;
            throw failed;
        }
    }

    private static void commit(OpenChain current) throws SQLException {
        try {
            current.connection().commit();
        } catch (SQLException unknown) {
            throw new CommitUnknown(unknown);
        }
    }

    private OpenChain openChain() throws SQLException {
        OpenChain current = open;
        if (current == null) {
            OwnChain known = chains.isEmpty() ? null : chains.getLast();
            current = OpenChain.open(connections, known, alarms);
            open = current;
            if (current.chain() != known) {
                chains.add(current.chain());
            }
        }
        return current;
    }

    @Override
    public boolean isCausedByItem(Exception error) {
        if (error instanceof IllegalArgumentException) {
            return true; // it could not be encoded
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
            LOG.debug("Closing interrupted calls or anchoring failed; retried later", unreachable);
        }
    }

    /** Detects a modified chain, and starts a new one, even if nothing is being written. */
    void checkHead() throws SQLException {
        OpenChain current = open;
        if (current == null || System.nanoTime() - lastHeadCheck < HEAD_CHECK.toNanos()) {
            return;
        }
        lastHeadCheck = System.nanoTime();
        try {
            if (current.matchesDatabase()) {
                return;
            }
        } catch (SQLException lost) {
            current.close();
            open = null;
            throw lost;
        }
        current.close();
        open = null;
        openChain();
    }

    /** Closes the connection without ending the chain, like a killed process. */
    public void abort() {
        OpenChain current = open;
        if (current != null) {
            current.close();
        }
    }

    /** Ends the chain; open intents are closed later by another instance. */
    @Override
    public void close() {
        OpenChain current = open;
        if (current != null) {
            try {
                anchor();
                current.end();
            } catch (SQLException unreachable) {
                LOG.debug("The chain could not be ended; another instance does it later", unreachable);
            }
            current.close();
        }
    }
}
