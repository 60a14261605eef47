package dev.toolgate.mcp.client.http;

import org.jspecify.annotations.Nullable;

/** Lets another thread abort an HTTP exchange, before and after the response head has arrived. */
public final class RequestAbort {
    private @Nullable Runnable action;
    private boolean aborted;

    /** Replaces the abort action; runs it at once if the exchange has already been aborted. */
    public void onAbort(Runnable how) {
        synchronized (this) {
            if (!aborted) {
                action = how;
                return;
            }
        }
        how.run();
    }

    /** Aborts the exchange; the thread that waits for it gets an exception. */
    public void abort() {
        Runnable due;
        synchronized (this) {
            if (aborted) {
                return;
            }
            aborted = true;
            due = action;
            action = null;
        }
        if (due != null) {
            due.run();
        }
    }
}
