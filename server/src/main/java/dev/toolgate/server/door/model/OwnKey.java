package dev.toolgate.server.door.model;

import dev.toolgate.chat.model.ProviderKey;
import dev.toolgate.server.door.FailureMapping;
import org.jspecify.annotations.Nullable;

/** The body of a request to validate a provider key; without a key, the configured one is validated. */
record OwnKey(@Nullable String apiKey) {

    /** The key, if one was sent. */
    @Nullable
    ProviderKey key() {
        return apiKey == null ? null : FailureMapping.inField("api_key", () -> ProviderKey.of(apiKey));
    }

    /** Leaves out the key. */
    @Override
    public String toString() {
        return "OwnKey";
    }
}
