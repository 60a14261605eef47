package dev.toolgate.store.grant;

/** Permissions were changed since the version that a change was meant for. */
public final class VersionConflict extends RuntimeException {
    private static final long serialVersionUID = 1L;

    VersionConflict(long expected, long found) {
        super("The permissions have changed meanwhile, from version " + expected + " to " + found
                + "; look at them again, then send the change with the new version.");
    }
}
