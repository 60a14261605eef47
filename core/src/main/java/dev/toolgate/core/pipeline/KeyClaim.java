package dev.toolgate.core.pipeline;

import dev.toolgate.core.audit.AuditLog;
import dev.toolgate.core.call.RequestKey;
import org.jspecify.annotations.Nullable;

/** Tracks who holds the request key of a call until it is over. Confined to one thread. */
final class KeyClaim {
    private @Nullable RequestKey key;
    private @Nullable Runnable release;
    private AuditLog.Claim claim = AuditLog.Claim.NEW;

    /** The call's key; {@code null} if repeated calls are not detected. */
    @Nullable
    RequestKey key() {
        return key;
    }

    /** How the audit log must treat the key when the call is recorded. */
    AuditLog.Claim claim() {
        return claim;
    }

    /**
     * Claims the key until the call is over.
     *
     * @param releaseAction releases it
     */
    void take(RequestKey newKey, Runnable releaseAction) {
        key = newKey;
        release = releaseAction;
    }

    /** The approval request has taken the key permanently. */
    void keep(RequestKey newKey) {
        key = newKey;
        keep();
    }

    /** The key is taken permanently, with the intent or the approval request, so the claim is released. */
    void keep() {
        claim = AuditLog.Claim.HELD;
        release();
    }

    /** An equal held call has the key; this one has not joined its approval request yet. */
    void leaveToEqualCall(RequestKey newKey) {
        key = newKey;
        claim = AuditLog.Claim.NONE;
    }

    boolean isOfEqualCall() {
        return claim == AuditLog.Claim.NONE;
    }

    /** Releases a temporary claim, if there is one. */
    void release() {
        Runnable releaseAction = release;
        release = null;
        if (releaseAction != null) {
            releaseAction.run();
        }
    }
}
