package dev.toolgate.runtime.sandbox.files;

/** What somebody wants to do with a file; removing it counts as writing. */
public enum Access {
    READ,
    WRITE
}
