package dev.toolgate.store.identity;

/** The result of revoking a key. */
public enum Revocation {
    /** It was revoked. */
    DONE,
    /** It does not exist, or was revoked before. */
    NOT_FOUND,
    /** It was not revoked, because it is the last usable admin key of its tenant. */
    LAST_ADMIN
}
