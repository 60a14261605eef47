package dev.toolgate.runtime.sandbox.files;

import java.util.List;

/**
 * The entries of a folder, sorted by name.
 *
 * @param total the total number of entries, including those not listed
 */
public record Listing(List<Entry> entries, long total) {
    public Listing {
        entries = List.copyOf(entries);
    }

    /** One entry of a folder. */
    public record Entry(String name, FileKind kind, long size) {}
}
