package dev.toolgate.store.grant;

import org.jspecify.annotations.Nullable;

/** Who changes a permission, and why. */
public record Author(String by, @Nullable String reason) {
    public Author {
        StoredText.checkName("The name of who makes a change", by, 100);
        StoredText.checkProse("The reason", reason);
    }
}
