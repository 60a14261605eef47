package dev.toolgate.core.approval;

import dev.toolgate.core.approval.Approvals.Answer;
import dev.toolgate.core.call.Unavailable;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/** A stored approval request, held by the code that runs the call once it is approved. */
public interface HeldQuestion {

    /** The id of the approval request. */
    UUID id();

    /** When it expires. */
    Instant expiresAt();

    /**
     * Waits for the answer.
     *
     * @return empty on time-out; the request may still be pending
     * @throws Unavailable if this instance can no longer receive answers; the request stays open
     */
    Optional<Answer> await(Duration timeout) throws InterruptedException;

    /** Claims the approval, which succeeds once; on false the call must not run. */
    boolean claim();

    /** Releases the claim because the call did not run, so another may claim it. */
    void releaseClaim();

    /** Withdraws the request; an approval not yet claimed cannot be claimed any more. */
    void withdraw();

    /** Closes the request; the call's outcome is on record. */
    void ended();
}
