package dev.toolgate.server.door.model;

import dev.toolgate.chat.model.ProviderKey;
import dev.toolgate.server.door.Refusals;
import org.jspecify.annotations.Nullable;

/** The body of a request that asks whether a key is good; without one, the configured key is meant. */
record OwnKey(@Nullable String apiKey) {

    /** The key, if one was sent. */
    @Nullable
    ProviderKey key() {
        return apiKey == null ? null : Refusals.at("api_key", () -> ProviderKey.of(apiKey));
    }

    /** Says nothing of the key. */
    @Override
    public String toString() {
        return "OwnKey";
    }
}
