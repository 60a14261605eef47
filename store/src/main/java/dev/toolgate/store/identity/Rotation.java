package dev.toolgate.store.identity;

/** What came of replacing a key. */
public sealed interface Rotation {

    /**
     * There is a new one.
     *
     * @param old as it is now, with the time at which it ends
     */
    record Done(MadeKey made, ApiKey old) implements Rotation {}

    /** Another key has replaced it already. */
    record Before() implements Rotation {}

    /** There is no such key that still counts and that somebody asked for; those of a setting or a file change there. */
    record NotPossible() implements Rotation {}
}
