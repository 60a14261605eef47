package dev.toolgate.store.identity;

import java.util.Locale;

/** Where a key came from. */
enum Origin {
    /** Somebody asked for it. */
    REQUEST,
    /** The setting {@code TOOLGATE_ADMIN_KEY}. */
    SETTING,
    /** The file in the data folder. */
    HOME;

    String column() {
        return name().toLowerCase(Locale.ROOT);
    }
}
