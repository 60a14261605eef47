package dev.toolgate.chat.provider;

import dev.toolgate.chat.model.ProviderFailed;
import dev.toolgate.chat.model.ProviderKey;
import dev.toolgate.chat.model.StreamChunk;
import dev.toolgate.core.call.Cancellation;
import java.net.URI;
import java.net.http.HttpRequest;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** The API of one provider: its address, key and authentication headers. */
final class ModelApi {
    /** Bearer authentication, if there is a key. */
    static final Headers BEARER =
            (request, key) -> key == null ? request : request.header("authorization", "Bearer " + key.reveal());

    private final ModelServer server;
    private final URI address;
    private final Supplier<Optional<ProviderKey>> configured;
    private final Headers headers;

    /** Adds the headers of every request. */
    @FunctionalInterface
    interface Headers {
        HttpRequest.Builder add(HttpRequest.Builder request, @Nullable ProviderKey key);
    }

    /** A request with a streamed answer. */
    record StreamRequest(String path, String accept, ObjectNode body) {}

    /**
     * @param name of the provider, for messages
     * @param address the base address
     * @param configured supplies the key for callers without their own
     */
    ModelApi(String name, ModelHttp http, URI address, Supplier<Optional<ProviderKey>> configured, Headers headers) {
        this.server = new ModelServer(name, http);
        this.address = address;
        this.configured = configured;
        this.headers = headers;
    }

    URI address() {
        return address;
    }

    /** Streams an answer; the last chunk is an end or an error. */
    void stream(
            StreamRequest streamRequest,
            @Nullable ProviderKey own,
            AnswerReader reader,
            Consumer<StreamChunk> consumer,
            Cancellation cancellation) {
        ProviderKey key = choose(own);
        HttpRequest request = at(streamRequest.path, key)
                .header("content-type", "application/json")
                .header("accept", streamRequest.accept)
                .POST(HttpRequest.BodyPublishers.ofString(streamRequest.body.toString()))
                .build();
        server.stream(request, key, reader, consumer, cancellation);
    }

    /** Fetches one JSON object. */
    ObjectNode document(String path, @Nullable ProviderKey own) throws ProviderFailed {
        ProviderKey key = choose(own);
        return server.document(at(path, key).build(), key);
    }

    private @Nullable ProviderKey choose(@Nullable ProviderKey own) {
        return own == null ? configured.get().orElse(null) : own;
    }

    private HttpRequest.Builder at(String path, @Nullable ProviderKey key) {
        return headers.add(ModelHttp.request(address, path), key);
    }
}
