package dev.toolgate.chat.model;

import dev.toolgate.core.call.Cancellation;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A client for a provider of language models. */
public interface Provider {

    /** The name used to select it, for example {@code claude}. */
    String name();

    /**
     * Asks a model and streams its answer on the calling thread until it is complete, failed or cancelled. The last
     * chunk is always a {@link StreamChunk.End} or a {@link StreamChunk.Broken}. A slow consumer applies back pressure.
     */
    void stream(ChatRequest request, Consumer<StreamChunk> consumer, Cancellation cancellation);

    /**
     * The available models.
     *
     * @param key the caller's own key; {@code null} for the configured one
     */
    List<ModelInfo> listModels(@Nullable ProviderKey key) throws ProviderFailed;

    /**
     * Returns if the provider accepts the key.
     *
     * @param key the caller's own key; {@code null} for the configured one
     */
    void validateCredentials(@Nullable ProviderKey key) throws ProviderFailed;
}
