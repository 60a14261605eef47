package dev.toolgate.client;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;

/** Time that passes only by waiting, so that tests measure waits without making them. */
final class ManualTime implements Connection.Time {
    private final AtomicLong now = new AtomicLong();
    private final List<Duration> pauses = new CopyOnWriteArrayList<>();

    @Override
    public long nanos() {
        return now.get();
    }

    @Override
    public void sleep(Duration time) throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        pauses.add(time);
        now.addAndGet(time.toNanos());
    }

    List<Duration> pauses() {
        return pauses;
    }
}
