package dev.toolgate.core.call;

import java.util.ArrayList;
import java.util.List;

/** A switch that stops one call. Pressing it twice, or after the call has ended, does nothing. */
public final class Cancellation {
    private final List<Runnable> reactions = new ArrayList<>(1);
    private boolean cancelled;

    /** Stops the call. */
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

    /** Whether somebody has stopped the call. */
    public synchronized boolean isCancelled() {
        return cancelled;
    }

    /** Runs the reaction once the call is stopped; at once, if it already is. */
    public void onCancel(Runnable reaction) {
        synchronized (this) {
            if (!cancelled) {
                reactions.add(reaction);
                return;
            }
        }
        reaction.run();
    }

    /** Forgets a reaction that is no longer of use. */
    public synchronized void forget(Runnable reaction) {
        reactions.remove(reaction);
    }
}
