package dev.toolgate.server.operate.siem;

import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** Where the records of the audit log go; each one arrives at least once. */
public interface AuditSink extends AutoCloseable {

    /** The place after the last record that has arrived for good; empty before the first. */
    Optional<String> cursor() throws IOException;

    /**
     * Takes records, and returns once they and their place are durable.
     *
     * @throws IOException if they may not have arrived; the same ones are then offered again
     */
    void take(List<AuditSource.Item> records) throws IOException, InterruptedException;

    @Override
    void close() throws IOException;
}
