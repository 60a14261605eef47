package dev.toolgate.server.operate.siem;

import dev.toolgate.core.call.Unavailable;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Exports audit records to a sink in the background, continuing where it stopped the last time. */
public final class SiemExport implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(SiemExport.class);
    private static final int BATCH_SIZE = 500;
    private static final Duration SHUTDOWN_TIMEOUT = Duration.ofSeconds(5);

    private final AuditSource source;
    private final AuditSink sink;
    private final Duration pause;
    private final CountDownLatch closing = new CountDownLatch(1);
    private final Thread thread;
    private boolean failureLogged;

    /**
     * Starts in the background.
     *
     * @param pause how long to wait if there are no new records, or after a failure
     */
    public SiemExport(String name, AuditSource source, AuditSink sink, Duration pause) {
        this.source = source;
        this.sink = sink;
        this.pause = pause;
        this.thread = Thread.ofVirtual().name("toolgate-" + name).start(this::run);
    }

    private void run() {
        try {
            do {
                while (exportBatch()) {
                    if (closing.getCount() == 0) {
                        return;
                    }
                }
            } while (!closing.await(pause.toMillis(), TimeUnit.MILLISECONDS));
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    /** Exports one batch; true if there may be more. */
    private boolean exportBatch() throws InterruptedException {
        try {
            List<AuditSource.Item> records = source.after(sink.cursor().orElse(null), BATCH_SIZE);
            if (!records.isEmpty()) {
                sink.take(records);
            }
            failureLogged = false;
            return records.size() == BATCH_SIZE;
        } catch (IOException | Unavailable later) {
            logOnce(later);
            return false;
        } catch (RuntimeException broken) {
            LOG.error("The export of the audit log failed unexpectedly; it is retried", broken);
            return false;
        }
    }

    private void logOnce(Exception later) {
        if (!failureLogged) {
            LOG.warn("The audit log cannot be exported; retrying: {}", later.getMessage());
            failureLogged = true;
        }
    }

    @Override
    public void close() throws IOException {
        closing.countDown();
        try {
            if (!thread.join(SHUTDOWN_TIMEOUT)) {
                thread.interrupt();
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        sink.close();
    }
}
