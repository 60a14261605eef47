package dev.toolgate.core.pipeline;

import dev.toolgate.core.audit.AuditLog;
import dev.toolgate.core.call.RequestKey;
import org.jspecify.annotations.Nullable;

/** Whose the request id of a call is, from when it is looked up until the call is over. Belongs to one thread. */
final class KeyClaim {
    private @Nullable RequestKey key;
    private @Nullable Runnable release;
    private AuditLog.Claim claim = AuditLog.Claim.NEW;

    /** The key of the call; {@code null} if nobody looks for repeated calls. */
    @Nullable
    RequestKey key() {
        return key;
    }

    /** Whether the key has to be taken, is taken or must be left alone when the call is put on record. */
    AuditLog.Claim claim() {
        return claim;
    }

    /**
     * This call has it until it is over.
     *
     * @param giveUp gives it up
     */
    void take(RequestKey newKey, Runnable giveUp) {
        key = newKey;
        release = giveUp;
    }

    /** This call has it for good, by its question. */
    void keep(RequestKey newKey) {
        key = newKey;
        keep();
    }

    /** This call has it for good: whoever looks now finds it with the intent or the question. */
    void keep() {
        claim = AuditLog.Claim.HELD;
        release();
    }

    /** An equal call has it, which is held by a question that this one has not joined yet. */
    void leaveToEqualCall(RequestKey newKey) {
        key = newKey;
        claim = AuditLog.Claim.NONE;
    }

    boolean isOfEqualCall() {
        return claim == AuditLog.Claim.NONE;
    }

    /** Gives it up, if this call has it until it is over. */
    void release() {
        Runnable giveUp = release;
        release = null;
        if (giveUp != null) {
            giveUp.run();
        }
    }
}
