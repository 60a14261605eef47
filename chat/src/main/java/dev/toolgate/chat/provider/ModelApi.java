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

/** The API of one provider: where it is, and with which key it is asked and how that is shown. */
final class ModelApi {
    /** The usual way to show a key, if there is one. */
    static final Headers BEARER =
            (request, key) -> key == null ? request : request.header("authorization", "Bearer " + key.reveal());

    private final ModelServer server;
    private final URI address;
    private final Supplier<Optional<ProviderKey>> configured;
    private final Headers headers;

    /** What every request to the provider carries. */
    @FunctionalInterface
    interface Headers {
        HttpRequest.Builder add(HttpRequest.Builder request, @Nullable ProviderKey key);
    }

    /** Something to be answered in a stream of this type. */
    record Question(String place, String accept, ObjectNode body) {}

    /**
     * @param name what people call the provider
     * @param address what all its places begin with
     * @param configured the key for callers without one of their own, asked for at every request
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

    /** Streams the answer to a question; the last chunk is an end or an error. */
    void stream(
            Question question,
            @Nullable ProviderKey own,
            AnswerReader reader,
            Consumer<StreamChunk> consumer,
            Cancellation cancellation) {
        ProviderKey key = choose(own);
        HttpRequest request = at(question.place, key)
                .header("content-type", "application/json")
                .header("accept", question.accept)
                .POST(HttpRequest.BodyPublishers.ofString(question.body.toString()))
                .build();
        server.stream(request, key, reader, consumer, cancellation);
    }

    /** The one JSON object that is found at a place. */
    ObjectNode document(String place, @Nullable ProviderKey own) throws ProviderFailed {
        ProviderKey key = choose(own);
        return server.document(at(place, key).build(), key);
    }

    private @Nullable ProviderKey choose(@Nullable ProviderKey own) {
        return own == null ? configured.get().orElse(null) : own;
    }

    private HttpRequest.Builder at(String place, @Nullable ProviderKey key) {
        return headers.add(ModelHttp.request(address, place), key);
    }
}
