package dev.toolgate.runtime.sandbox.files;

/** The kind of access to a file; removing it counts as writing. */
public enum Access {
    READ,
    WRITE
}
