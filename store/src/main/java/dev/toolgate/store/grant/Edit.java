package dev.toolgate.store.grant;

import dev.toolgate.core.port.Grants.Grant;

/** One change to what somebody may use. */
public record Edit(Holder holder, String tool, Setting setting) {
    private static final int LONGEST_NAME = 200;

    public Edit {
        if (tool.isBlank() || tool.length() > LONGEST_NAME || tool.chars().anyMatch(Character::isISOControl)) {
            throw new IllegalArgumentException("A tool name must be 1 to " + LONGEST_NAME + " printable characters.");
        }
    }

    /** What the change comes to. */
    public sealed interface Setting {}

    /** Yes, on these terms. */
    public record Allow(Grant grant) implements Setting {}

    /** An explicit no, which wins over every yes that comes from a group. */
    public record Refuse() implements Setting {}

    /** Neither yes nor no: what was granted or refused here is taken back. */
    public record Clear() implements Setting {}
}
