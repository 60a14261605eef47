package dev.toolgate.runtime.sandbox.files;

import java.util.List;

/**
 * What is in a folder, by name.
 *
 * @param total how many entries there are, also those that are not shown
 */
public record Listing(List<Entry> entries, long total) {
    public Listing {
        entries = List.copyOf(entries);
    }

    /** One name in a folder. */
    public record Entry(String name, FileKind kind, long size) {}
}
