package dev.toolgate.core.call;

import java.util.ArrayList;
import java.util.List;

/** Cancels one call. Cancelling twice, or after the call has ended, has no effect. */
public final class Cancellation {
    private final List<Runnable> reactions = new ArrayList<>(1);
    private boolean cancelled;

    /** Cancels the call. */
    public void cancel() {
        List<Runnable> due;
        synchronized (this) {
            if (cancelled) {
                return;
            }
            cancelled = true;
            due = List.copyOf(reactions);
            reactions.clear();
        }
        due.forEach(Runnable::run);
    }

    /** Whether the call was cancelled. */
    public synchronized boolean isCancelled() {
        return cancelled;
    }

    /** Runs the reaction on cancellation; at once if already cancelled. */
    public void onCancel(Runnable reaction) {
        synchronized (this) {
            if (!cancelled) {
                reactions.add(reaction);
                return;
            }
        }
        reaction.run();
    }

    /** Removes a reaction. */
    public synchronized void forget(Runnable reaction) {
        reactions.remove(reaction);
    }
}
