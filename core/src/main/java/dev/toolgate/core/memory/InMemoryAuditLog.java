package dev.toolgate.core.memory;

import dev.toolgate.core.port.AuditLog;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** The newest audit entries in memory; the oldest make room once it is full. */
public final class InMemoryAuditLog implements AuditLog {
    private final int capacity;
    private final Deque<Intent> intents = new ArrayDeque<>();
    private final Deque<Entry> entries = new ArrayDeque<>();

    public InMemoryAuditLog(int capacity) {
        this.capacity = capacity;
    }

    @Override
    public synchronized void intend(Intent intent) {
        keep(intents, intent);
    }

    @Override
    public synchronized void record(Entry entry) {
        keep(entries, entry);
    }

    /** What has been recorded, oldest first. */
    public synchronized List<Entry> entries() {
        return new ArrayList<>(entries);
    }

    /** What was announced, oldest first. */
    public synchronized List<Intent> intents() {
        return new ArrayList<>(intents);
    }

    private <T> void keep(Deque<T> kept, T newest) {
        if (kept.size() == capacity) {
            kept.removeFirst();
        }
        kept.addLast(newest);
    }
}
