package dev.toolgate.store.grant;

import org.jspecify.annotations.Nullable;

/** Who changes a permission, and why. */
public record Author(String by, @Nullable String reason) {
    public Author {
        if (by.isBlank() || by.length() > 100) {
            throw new IllegalArgumentException("A change needs the name of who makes it, of at most 100 characters.");
        }
    }
}
