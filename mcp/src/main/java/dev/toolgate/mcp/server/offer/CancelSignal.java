package dev.toolgate.mcp.server.offer;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Signals that the result of a request is no longer needed. */
public final class CancelSignal {
    private volatile @Nullable String reason;
    private @Nullable List<Runnable> listeners;

    public boolean isCancelled() {
        return reason != null;
    }

    /** The reason; null until it is cancelled. */
    public @Nullable String reason() {
        return reason;
    }

    /** Registers a listener, which must not block; it runs on cancellation, or at once if already cancelled. */
    public void onCancel(Runnable listener) {
        synchronized (this) {
            if (reason == null) {
                if (listeners == null) {
                    listeners = new ArrayList<>();
                }
                listeners.add(listener);
                return;
            }
        }
        listener.run();
    }

    /** Cancels the request; later calls have no effect. */
    public void cancel(String why) {
        List<Runnable> notified;
        synchronized (this) {
            if (reason != null) {
                return;
            }
            reason = why;
            notified = listeners == null ? List.of() : listeners;
            listeners = null;
        }
        notified.forEach(Runnable::run);
    }
}
