package dev.toolgate.store.grant;

import org.jspecify.annotations.Nullable;

/** The author of a permission change, and the reason. */
public record Author(String by, @Nullable String reason) {
    public Author {
        StoredText.checkName("The author of a change", by, 100);
        StoredText.checkProse("The reason", reason);
    }
}
