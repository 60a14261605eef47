package dev.toolgate.store.audit;

import dev.toolgate.core.audit.AuditLog;
import dev.toolgate.core.call.RequestKey;
import dev.toolgate.core.call.RequestKeys;
import dev.toolgate.store.audit.record.CallFacts;
import dev.toolgate.store.audit.write.AuditItem;
import dev.toolgate.store.audit.write.AuditWriter;
import dev.toolgate.store.audit.write.KeyOutcome;
import dev.toolgate.store.audit.write.NotRecorded;
import dev.toolgate.store.connection.UnpooledConnections;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;

/**
 * The baseline for group commit: every caller writes its record in its own transaction, on an exclusive
 * connection. Uses the same statements.
 */
@NullMarked
public final class CommitPerCall implements AuditLog, AutoCloseable {
    private static final Duration NEVER = Duration.ofDays(1);

    private final BlockingQueue<AuditWriter> idle;

    public CommitPerCall(UnpooledConnections unpooled, int connections) throws SQLException {
        idle = new ArrayBlockingQueue<>(connections);
        for (int i = 0; i < connections; i++) {
            AuditWriter writer = new AuditWriter(unpooled, NEVER);
            writer.closeInterrupted(); // connects
            idle.add(writer);
        }
    }

    @Override
    public void intend(Intent intent, @Nullable RequestKey key) {
        throw new IllegalStateException("Only tools that change nothing are measured.");
    }

    @Override
    public void permit(Permit permit) {
        throw new IllegalStateException("Only tools that the gate runs are measured.");
    }

    @Override
    public void record(Entry entry, @Nullable KeptAnswer answer) {
        AuditItem item = new AuditItem.Ended(CallFacts.of(entry), null, KeyOutcome.of(answer));
        try {
            AuditWriter writer = idle.take();
            try {
                if (!writer.write(List.of(item)).isEmpty()) {
                    throw new RequestKeys.Taken();
                }
            } finally {
                idle.add(writer);
            }
        } catch (SQLException failed) {
            throw new NotRecorded("The record could not be written.", failed, NotRecorded.Certainty.UNKNOWN);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new NotRecorded("The call was interrupted.", interrupted, NotRecorded.Certainty.NOT_WRITTEN);
        }
    }

    @Override
    public void close() {
        idle.forEach(AuditWriter::close);
    }
}
