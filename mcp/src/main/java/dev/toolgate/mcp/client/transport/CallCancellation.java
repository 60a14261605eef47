package dev.toolgate.mcp.client.transport;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Lets any thread cancel a call that another one waits for. Cancelling twice, or after the call, does nothing. */
public final class CallCancellation {
    /** Called once when the call is cancelled. */
    @FunctionalInterface
    public interface Reaction {
        void cancelled(String reason);
    }

    private final List<Reaction> reactions = new ArrayList<>(1);
    private @Nullable String reason;

    /** Cancels the call; the reason is passed on to the server. */
    public void cancel(String why) {
        List<Reaction> due;
        synchronized (this) {
            if (reason != null) {
                return;
            }
            reason = why;
            due = List.copyOf(reactions);
            reactions.clear();
        }
        due.forEach(reaction -> reaction.cancelled(why));
    }

    /** Whether the call was cancelled. */
    public synchronized boolean isCancelled() {
        return reason != null;
    }

    /** Registers a reaction; runs it at once if the call is already cancelled. */
    public void onCancel(Reaction reaction) {
        String already;
        synchronized (this) {
            already = reason;
            if (already == null) {
                reactions.add(reaction);
            }
        }
        if (already != null) {
            reaction.cancelled(already);
        }
    }

    /** Removes a reaction that is no longer needed. */
    public synchronized void forget(Reaction reaction) {
        reactions.remove(reaction);
    }
}
