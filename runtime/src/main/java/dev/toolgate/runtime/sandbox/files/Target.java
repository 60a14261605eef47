package dev.toolgate.runtime.sandbox.files;

/**
 * A file beneath a root.
 *
 * @param relative the path from the root, with {@code /}, without {@code .} and {@code ..}; empty for the root itself
 * @param shown the path as given by the caller, for messages
 */
public record Target(String relative, String shown) {

    /** A target that messages show by its relative path. */
    public static Target of(String relative) {
        return new Target(relative, relative.isEmpty() ? "." : relative);
    }

    /** The relative path of the folder the target is in. */
    String parent() {
        int slash = relative.lastIndexOf('/');
        return slash < 0 ? "" : relative.substring(0, slash);
    }

    /** The last part of the path. */
    String name() {
        return relative.substring(relative.lastIndexOf('/') + 1);
    }
}
