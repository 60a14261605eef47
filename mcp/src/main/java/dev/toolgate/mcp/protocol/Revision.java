package dev.toolgate.mcp.protocol;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The revisions of MCP that are supported, oldest first. */
public enum Revision {
    R2025_06_18("2025-06-18", Era.LEGACY),
    R2025_11_25("2025-11-25", Era.LEGACY),
    R2026_07_28("2026-07-28", Era.MODERN);

    /** The newest revision that begins with {@code initialize}. */
    public static final Revision NEWEST_LEGACY = R2025_11_25;

    /** The newest revision. */
    public static final Revision NEWEST = R2026_07_28;

    private final String version;
    private final Era era;

    Revision(String version, Era era) {
        this.version = version;
        this.era = era;
    }

    /** The version string on the wire. */
    public String version() {
        return version;
    }

    public Era era() {
        return era;
    }

    /** Whether this revision is the given one or a newer one. */
    public boolean isAtLeast(Revision other) {
        return compareTo(other) >= 0;
    }

    /** The revision with this version string; null if it is not supported. */
    public static @Nullable Revision of(String version) {
        for (Revision revision : values()) {
            if (revision.version.equals(version)) {
                return revision;
            }
        }
        return null;
    }

    /** The version strings of all revisions, newest first. */
    public static List<String> versions() {
        return Arrays.stream(values())
                .sorted(Comparator.reverseOrder())
                .map(Revision::version)
                .toList();
    }
}
