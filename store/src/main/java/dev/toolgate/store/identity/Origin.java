package dev.toolgate.store.identity;

import java.util.Locale;

/** The origin of a key. */
enum Origin {
    /** It was created through the API. */
    REQUEST,
    /** The setting {@code TOOLGATE_ADMIN_KEY}. */
    SETTING,
    /** The file in the data folder. */
    HOME;

    String column() {
        return name().toLowerCase(Locale.ROOT);
    }
}
