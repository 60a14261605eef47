package dev.toolgate.server.dialect.models;

import dev.toolgate.chat.model.ApiKey;
import dev.toolgate.server.dialect.access.Refusals;
import org.jspecify.annotations.Nullable;

/** The body of a request that asks whether a key is good; without one, the configured key is meant. */
record OwnKey(@Nullable String apiKey) {

    /** The key, if one was sent. */
    @Nullable
    ApiKey key() {
        return apiKey == null ? null : Refusals.at("api_key", () -> ApiKey.of(apiKey));
    }

    /** Says nothing of the key. */
    @Override
    public String toString() {
        return "OwnKey";
    }
}
