package dev.toolgate.chat.provider;

import dev.toolgate.chat.model.ApiKey;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Which key a request is sent with: the caller's own, else the configured one, asked for each time. */
record Keys(Supplier<Optional<ApiKey>> configured) {
    @Nullable
    ApiKey choose(@Nullable ApiKey own) {
        return own == null ? configured.get().orElse(null) : own;
    }
}
