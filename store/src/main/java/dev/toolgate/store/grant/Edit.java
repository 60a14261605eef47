package dev.toolgate.store.grant;

import org.jspecify.annotations.Nullable;

/**
 * One change to what somebody may use.
 *
 * @param tool the canonical name; there need not be such a tool at the moment
 */
public record Edit(Holder holder, String tool, Setting setting) {
    public Edit {
        StoredText.checkName("A tool name", tool, StoredText.LONGEST_NAME);
    }

    /** What the change comes to. */
    public sealed interface Setting {}

    /** Yes, on these terms. */
    public record Allow(Terms terms) implements Setting {
        public Allow {
            terms.check();
        }
    }

    /**
     * An explicit no, which wins over every yes that comes from a group.
     *
     * @param notes a remark that stays with it
     */
    public record Refuse(@Nullable String notes) implements Setting {
        public Refuse {
            StoredText.checkProse("The notes", notes);
        }
    }

    /** Neither yes nor no: what was granted or refused here is taken back. */
    public record Clear() implements Setting {}
}
