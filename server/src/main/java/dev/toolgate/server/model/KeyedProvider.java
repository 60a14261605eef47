package dev.toolgate.server.model;

import dev.toolgate.chat.model.ChatRequest;
import dev.toolgate.chat.model.ModelInfo;
import dev.toolgate.chat.model.Provider;
import dev.toolgate.chat.model.ProviderFailed;
import dev.toolgate.chat.model.ProviderFailure;
import dev.toolgate.chat.model.ProviderFailure.Kind;
import dev.toolgate.chat.model.ProviderKey;
import dev.toolgate.chat.model.StreamChunk;
import dev.toolgate.core.call.Cancellation;
import dev.toolgate.core.call.Unavailable;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Uses the configured key if the caller sends none; a key that cannot be read is treated as invalid. */
record KeyedProvider(Provider provider, Supplier<Optional<ProviderKey>> configured) implements Provider {

    @Override
    public String name() {
        return provider.name();
    }

    @Override
    public void stream(ChatRequest request, Consumer<StreamChunk> consumer, Cancellation cancellation) {
        ChatRequest paid;
        try {
            paid = request.withKey(choose(request.key()));
        } catch (ProviderFailed unreadable) {
            consumer.accept(new StreamChunk.Broken("", 0, unreadable.failure()));
            return;
        }
        provider.stream(paid, consumer, cancellation);
    }

    @Override
    public List<ModelInfo> listModels(@Nullable ProviderKey key) throws ProviderFailed {
        return provider.listModels(choose(key));
    }

    @Override
    public void validateCredentials(@Nullable ProviderKey key) throws ProviderFailed {
        provider.validateCredentials(choose(key));
    }

    private @Nullable ProviderKey choose(@Nullable ProviderKey own) throws ProviderFailed {
        try {
            return own == null ? configured.get().orElse(null) : own;
        } catch (Unavailable unreadable) {
            throw new ProviderFailed(
                    ProviderFailure.of(Kind.UNAUTHORISED, String.valueOf(unreadable.getMessage())), unreadable);
        }
    }
}
