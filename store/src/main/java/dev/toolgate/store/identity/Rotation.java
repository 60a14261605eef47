package dev.toolgate.store.identity;

/** The result of rotating a key. */
public sealed interface Rotation {

    /**
     * A new key was created.
     *
     * @param old the old key, with its new expiry
     */
    record Done(CreatedKey made, ApiKey old) implements Rotation {}

    /** It was already replaced by another key. */
    record AlreadyReplaced() implements Rotation {}

    /** It does not exist, is expired or revoked, or comes from a setting or file and must be changed there. */
    record NotPossible() implements Rotation {}
}
