package dev.toolgate.core.approval;

import dev.toolgate.core.approval.Approvals.Answer;
import dev.toolgate.core.call.Unavailable;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/** A stored question, in the hands of somebody who will make the call once it is answered. */
public interface HeldQuestion {

    /** Under which people find it. */
    UUID id();

    /** Until when it can be answered. */
    Instant expiresAt();

    /**
     * Waits for the answer.
     *
     * @return empty if there was none in that time, though the question may still be open
     * @throws Unavailable if answers cannot be had here any more; the question stays for others
     */
    Optional<Answer> await(Duration patience) throws InterruptedException;

    /** Takes the yes, which only one can do; whoever gets false must not make the call. */
    boolean claim();

    /** Nothing was done with the yes, so another may take it. */
    void giveBack();

    /** The call is not wanted any more; from now on nobody can take a yes that was not taken before. */
    void withdraw();

    /** How the call ended is on record, so nothing is left to do. */
    void ended();
}
