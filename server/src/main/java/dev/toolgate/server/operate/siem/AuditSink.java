package dev.toolgate.server.operate.siem;

import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** A destination of audit records, with at-least-once delivery. */
public interface AuditSink extends AutoCloseable {

    /** The cursor after the last delivered record; empty before the first. */
    Optional<String> cursor() throws IOException;

    /**
     * Delivers records; returns once they and the cursor are durable.
     *
     * @throws IOException if they may not have been delivered; they are then delivered again
     */
    void take(List<AuditSource.Item> records) throws IOException, InterruptedException;

    @Override
    void close() throws IOException;
}
