package dev.toolgate.server.door.chat;

import dev.toolgate.chat.model.ChatRequest;
import dev.toolgate.chat.model.ModelInfo;
import dev.toolgate.chat.model.Provider;
import dev.toolgate.chat.model.ProviderFailed;
import dev.toolgate.chat.model.ProviderFailure;
import dev.toolgate.chat.model.ProviderKey;
import dev.toolgate.chat.model.StreamChunk;
import dev.toolgate.core.call.Cancellation;
import dev.toolgate.core.identity.Identity;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Calls the model for one answer and checks the client's identity before each request after the first, because an
 * answer can take long when tools run in between.
 */
final class RecheckedProvider implements Provider {
    private final Provider provider;
    private final Supplier<Identity> identity;
    private boolean asked; // confined to the answer's thread

    RecheckedProvider(Provider provider, Supplier<Identity> identity) {
        this.provider = provider;
        this.identity = identity;
    }

    @Override
    public String name() {
        return provider.name();
    }

    @Override
    public void stream(ChatRequest request, Consumer<StreamChunk> consumer, Cancellation cancellation) {
        if (asked && identity.get() instanceof Identity.Unknown) {
            consumer.accept(new StreamChunk.Broken(
                    "",
                    0,
                    ProviderFailure.of(
                            ProviderFailure.Kind.CANCELLED, "The key of this conversation is no longer valid.")));
            return;
        }
        asked = true;
        provider.stream(request, consumer, cancellation);
    }

    @Override
    public List<ModelInfo> listModels(@Nullable ProviderKey key) throws ProviderFailed {
        return provider.listModels(key);
    }

    @Override
    public void validateCredentials(@Nullable ProviderKey key) throws ProviderFailed {
        provider.validateCredentials(key);
    }
}
