package dev.toolgate.mcp.client.http;

import dev.toolgate.mcp.client.transport.ClientCall;
import dev.toolgate.mcp.client.transport.McpFailure;
import java.time.Duration;
import java.util.Iterator;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

/**
 * Ends calls that have timed out. One thread polls all calls, so that a call costs only an entry in a set and wakes no
 * thread; the thread parks while there are no calls.
 */
final class CallTimer {
    /** Stops watching. */
    interface Watch extends AutoCloseable {
        @Override
        void close();
    }

    private static final long TICK = TimeUnit.MILLISECONDS.toNanos(20);
    private static final int TICKS_UNTIL_SLEEP = 100;

    private final Set<Entry> entries = ConcurrentHashMap.newKeySet();
    private final Thread thread = Thread.ofVirtual().name("mcp-timeouts").unstarted(this::run);
    private final AtomicBoolean started = new AtomicBoolean();
    private volatile boolean asleep;
    private volatile boolean closed;

    /** Ends the call on timeout, unless the watch is closed first. */
    Watch watch(ClientCall call) {
        return add(new WatchedCall(call));
    }

    /** Runs an action after a delay, unless the watch is closed first. */
    Watch after(Duration delay, Runnable action) {
        return add(new Delayed(System.nanoTime() + delay.toNanos(), action));
    }

    private Watch add(Entry entry) {
        entries.add(entry);
        if (!started.get() && started.compareAndSet(false, true)) {
            thread.start();
        }
        if (asleep || closed) {
            asleep = false;
            LockSupport.unpark(thread);
        }
        return entry;
    }

    private void run() {
        int idleTicks = 0;
        while (!closed) {
            if (idleTicks < TICKS_UNTIL_SLEEP) {
                LockSupport.parkNanos(TICK);
            } else {
                asleep = true;
                while (asleep && entries.isEmpty() && !closed) {
                    LockSupport.park();
                }
                asleep = false;
            }
            idleTicks = entries.isEmpty() ? idleTicks + 1 : 0;
            for (Iterator<Entry> each = entries.iterator(); each.hasNext(); ) {
                Entry entry = each.next();
                if (entry.isDue()) {
                    each.remove();
                    entry.run();
                }
            }
        }
    }

    /** Ends all calls, and runs all delayed actions now. */
    void close(McpFailure why) {
        closed = true;
        LockSupport.unpark(thread);
        for (Entry entry : entries) {
            entry.end(why);
        }
    }

    private abstract sealed class Entry implements Watch {
        abstract boolean isDue();

        abstract void run();

        abstract void end(McpFailure why);

        @Override
        public void close() {
            entries.remove(this);
        }
    }

    private final class WatchedCall extends Entry {
        private final ClientCall call;

        WatchedCall(ClientCall call) {
            this.call = call;
        }

        @Override
        boolean isDue() {
            return !call.remaining().isPositive();
        }

        @Override
        void run() {
            call.endByTimeout();
        }

        @Override
        void end(McpFailure why) {
            call.end(why);
        }
    }

    private final class Delayed extends Entry {
        private final long due;
        private final Runnable action;

        Delayed(long due, Runnable action) {
            this.due = due;
            this.action = action;
        }

        @Override
        boolean isDue() {
            return System.nanoTime() - due >= 0;
        }

        @Override
        void run() {
            action.run();
        }

        @Override
        void end(McpFailure why) {
            action.run();
        }
    }
}
