package dev.toolgate.store.grant;

import org.jspecify.annotations.Nullable;

/**
 * One permission change.
 *
 * @param tool the canonical name; the tool need not exist at the moment
 */
public record Edit(Holder holder, String tool, Setting setting) {
    public Edit {
        StoredText.checkName("A tool name", tool, StoredText.MAX_NAME_LENGTH);
    }

    /** The new state of the permission. */
    public sealed interface Setting {}

    /** A grant with these terms. */
    public record Allow(Terms terms) implements Setting {
        public Allow {
            terms.check();
        }
    }

    /**
     * An explicit denial, which overrides every grant of a group.
     *
     * @param notes a note stored with it
     */
    public record Refuse(@Nullable String notes) implements Setting {
        public Refuse {
            StoredText.checkProse("The notes", notes);
        }
    }

    /** Removes the grant or denial. */
    public record Clear() implements Setting {}
}
