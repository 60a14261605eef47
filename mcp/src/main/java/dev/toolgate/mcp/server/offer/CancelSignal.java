package dev.toolgate.mcp.server.offer;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Says that nobody wants the result of a request any more. */
public final class CancelSignal {
    private volatile @Nullable String reason;
    private @Nullable List<Runnable> listeners;

    public boolean isCancelled() {
        return reason != null;
    }

    /** Why; null until it is cancelled. */
    public @Nullable String reason() {
        return reason;
    }

    /** Has something done when the request is cancelled, or at once if it already is; it must not block. */
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

    /** Cancels the request; only the first time counts. */
    public void cancel(String why) {
        List<Runnable> told;
        synchronized (this) {
            if (reason != null) {
                return;
            }
            reason = why;
            told = listeners == null ? List.of() : listeners;
            listeners = null;
        }
        told.forEach(Runnable::run);
    }
}
