package dev.toolgate.chat.model;

import dev.toolgate.core.call.Cancellation;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Somebody who runs language models. */
public interface Provider {

    /** The name a conversation chooses it by, for example {@code claude}. */
    String name();

    /**
     * Asks a model and hands over its answer piece by piece, on the calling thread, until it is whole, broken or
     * cancelled. Whatever happens, the last chunk is an {@link StreamChunk.End} or an {@link StreamChunk.Broken}.
     * A slow consumer slows the model down.
     */
    void stream(ChatRequest request, Consumer<StreamChunk> consumer, Cancellation cancellation);

    /**
     * The models there are.
     *
     * @param key the caller's own key; {@code null} for the configured one
     */
    List<ModelInfo> listModels(@Nullable ProviderKey key) throws ProviderFailed;

    /**
     * Returns if the provider takes the key.
     *
     * @param key the caller's own key; {@code null} for the configured one
     */
    void validateCredentials(@Nullable ProviderKey key) throws ProviderFailed;
}
