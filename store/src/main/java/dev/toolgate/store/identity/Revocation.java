package dev.toolgate.store.identity;

/** What came of revoking a key. */
public enum Revocation {
    /** It has ended. */
    DONE,
    /** There is none with this id, or it had been revoked before. */
    NOT_THERE,
    /** It is the last usable key of an admin of its tenant, and stays. */
    LAST_ADMIN
}
