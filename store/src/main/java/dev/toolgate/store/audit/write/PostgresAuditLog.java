package dev.toolgate.store.audit.write;

import dev.toolgate.core.audit.AuditLog;
import dev.toolgate.core.audit.OpenPermit;
import dev.toolgate.core.call.RequestKey;
import dev.toolgate.store.audit.chain.ChainAlarms;
import dev.toolgate.store.audit.record.CallFacts;
import dev.toolgate.store.checkpoint.TreeHead;
import dev.toolgate.store.connection.UnpooledConnections;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The audit log in PostgreSQL. Callers wait until their record is durable; one writer commits
 * batches, in one hash chain for this instance.
 */
public final class PostgresAuditLog implements AuditLog, AutoCloseable {
    private static final int CAPACITY = 8192;
    private static final Duration ANCHOR_EVERY = Duration.ofSeconds(60);

    private final OpenIntents intents = new OpenIntents();
    private final RecentPermits recentPermits = new RecentPermits();
    private final AuditWriter writer;
    private final GroupCommit<AuditItem> commits;

    /** Like the other constructor, with anchors once a minute. */
    public PostgresAuditLog(UnpooledConnections connections, Duration timeout) throws SQLException {
        this(connections, timeout, ANCHOR_EVERY);
    }

    /**
     * Starts a chain, and records the calls that dead instances left unfinished.
     *
     * @param connections one connection is kept open
     * @param timeout how long a caller waits for its record to be durable
     * @param anchorEvery how often the heads of other chains are anchored in this one
     */
    public PostgresAuditLog(UnpooledConnections connections, Duration timeout, Duration anchorEvery)
            throws SQLException {
        this.writer = new AuditWriter(connections, anchorEvery);
        writer.closeInterrupted();
        writer.anchor();
        this.commits = new GroupCommit<>("toolgate-audit", CAPACITY, timeout, writer);
    }

    @Override
    public void intend(Intent intent, @Nullable RequestKey key) {
        long number = intents.number();
        try {
            commits.submit(new AuditItem.Intended(number, CallFacts.of(intent), key));
        } catch (NotRecorded unsure) {
            if (unsure.certainty() == NotRecorded.Certainty.UNKNOWN) {
                writer.unfinished().withdraw(number);
            }
            throw unsure;
        }
        intents.begin(intent.caller(), intent.requestId(), number);
    }

    // If it is unknown whether it was written, it is kept: a retry of the caller gets it, or it expires.
    @Override
    public void permit(Permit permit) {
        AuditItem.Intended item =
                new AuditItem.Intended(intents.number(), CallFacts.of(permit), permit.key(), permit.until());
        commits.submit(item);
        recentPermits.add(
                new OpenPermit(permit.call(), permit.key(), permit.approval(), permit.until()), item.weight());
    }

    @Override
    public void record(Entry entry, @Nullable KeptAnswer answer) {
        // A call that does not hold its key is not the one whose intent is open under this request id.
        boolean mayHaveIntent = answer == null || answer.claim() == Claim.HELD;
        if (answer != null && answer.progress() == Progress.REPORTED) {
            recentPermits.remove(answer.key()); // from now on its state is read from the database
        }
        Long intent = mayHaveIntent ? intents.end(entry.caller(), entry.requestId()) : null;
        try {
            commits.submit(new AuditItem.Ended(CallFacts.of(entry), intent, KeyOutcome.of(answer)));
        } catch (RuntimeException unrecorded) {
            if (intent != null) {
                writer.unfinished().abandon(intent);
            }
            throw unrecorded;
        }
    }

    /** The permits that this instance granted recently. */
    public RecentPermits recentPermits() {
        return recentPermits;
    }

    /** The heads of the chains of this process. */
    public List<TreeHead> heads() {
        return writer.heads();
    }

    /** Alarms about modified chains of this process. */
    public ChainAlarms alarms() {
        return writer.alarms();
    }

    /** The number of records in the queue. */
    public int waiting() {
        return commits.waiting();
    }

    /** Accepts no more records, writes the queue, and ends the chain. */
    @Override
    public void close() {
        commits.close();
        writer.close();
    }
}
