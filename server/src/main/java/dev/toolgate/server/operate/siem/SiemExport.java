package dev.toolgate.server.operate.siem;

import dev.toolgate.core.call.Unavailable;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Carries records from the audit log to a sink, from where it stopped the last time, for as long as it is open. */
public final class SiemExport implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(SiemExport.class);
    private static final int AT_ONCE = 500;
    private static final Duration LONGEST_END = Duration.ofSeconds(5);

    private final AuditSource source;
    private final AuditSink sink;
    private final Duration pause;
    private final CountDownLatch closing = new CountDownLatch(1);
    private final Thread thread;
    private boolean complained;

    /**
     * Begins at once, in the background.
     *
     * @param pause how long to wait when there is nothing new, or when something does not work
     */
    public SiemExport(String name, AuditSource source, AuditSink sink, Duration pause) {
        this.source = source;
        this.sink = sink;
        this.pause = pause;
        this.thread = Thread.ofVirtual().name("toolgate-" + name).start(this::carry);
    }

    private void carry() {
        try {
            do {
                while (carrySome()) {
                    if (closing.getCount() == 0) {
                        return;
                    }
                }
            } while (!closing.await(pause.toMillis(), TimeUnit.MILLISECONDS));
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    /** Whether there may be more at once. */
    private boolean carrySome() throws InterruptedException {
        try {
            List<AuditSource.Item> records = source.after(sink.cursor().orElse(null), AT_ONCE);
            if (!records.isEmpty()) {
                sink.take(records);
            }
            complained = false;
            return records.size() == AT_ONCE;
        } catch (IOException | Unavailable later) {
            complainOnce(later);
            return false;
        } catch (RuntimeException broken) {
            LOG.error("Exporting the audit log broke; it goes on in a moment", broken);
            return false;
        }
    }

    private void complainOnce(Exception later) {
        if (!complained) {
            LOG.warn("The audit log cannot be exported now, which is tried again: {}", later.getMessage());
            complained = true;
        }
    }

    @Override
    public void close() throws IOException {
        closing.countDown();
        try {
            if (!thread.join(LONGEST_END)) {
                thread.interrupt();
            }
        } catch (InterruptedException hurry) {
            Thread.currentThread().interrupt();
        }
        sink.close();
    }
}
