package dev.toolgate.store.upstream;

/** Settings of a server that are valid separately but not together. */
public final class ConflictingFields extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    ConflictingFields(String message) {
        super(message);
    }
}
