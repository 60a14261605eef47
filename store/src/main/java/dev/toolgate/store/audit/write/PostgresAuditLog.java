package dev.toolgate.store.audit.write;

import dev.toolgate.core.audit.AuditLog;
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
 * The audit log in PostgreSQL. Callers wait until their record is durable; one writer commits what
 * has gathered, in one chain of hashes for this instance.
 */
public final class PostgresAuditLog implements AuditLog, AutoCloseable {
    private static final int CAPACITY = 8192;
    private static final Duration ANCHOR_EVERY = Duration.ofSeconds(60);

    private final OpenIntents intents = new OpenIntents();
    private final AuditWriter writer;
    private final GroupCommit<AuditItem> commits;

    /** The same, with the heads of other chains carried into this one once a minute. */
    public PostgresAuditLog(UnpooledConnections sessions, Duration patience) throws SQLException {
        this(sessions, patience, ANCHOR_EVERY);
    }

    /**
     * Begins a chain, and puts on record the calls that a former instance left unfinished.
     *
     * @param sessions one connection is kept for good
     * @param patience how long a caller waits for its record to be durable
     * @param anchorEvery how often the heads of other chains are carried into this one
     */
    public PostgresAuditLog(UnpooledConnections sessions, Duration patience, Duration anchorEvery) throws SQLException {
        this.writer = new AuditWriter(sessions, anchorEvery);
        writer.closeInterrupted();
        writer.anchor();
        this.commits = new GroupCommit<>("toolgate-audit", CAPACITY, patience, writer);
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

    @Override
    public void record(Entry entry, @Nullable KeptAnswer answer) {
        // With a key that it does not hold, the call is not the one whose intent is open under its request id.
        boolean mayHaveIntent = answer == null || answer.claim() == Claim.HELD;
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

    /** Where the chains of this process end. */
    public List<TreeHead> heads() {
        return writer.heads();
    }

    /** Chains of this process that somebody else has changed. */
    public ChainAlarms alarms() {
        return writer.alarms();
    }

    /** How many records wait to be durable. */
    public int waiting() {
        return commits.waiting();
    }

    /** Takes no more records, makes those that wait durable, and ends the chain. */
    @Override
    public void close() {
        commits.close();
        writer.close();
    }
}
