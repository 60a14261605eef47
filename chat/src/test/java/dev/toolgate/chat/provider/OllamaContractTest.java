package dev.toolgate.chat.provider;

import dev.toolgate.chat.model.Provider;
import dev.toolgate.chat.model.ProviderKey;
import java.net.URI;
import java.util.Optional;
import java.util.function.Supplier;

class OllamaContractTest extends ProviderContract {
    @Override
    Frames frames() {
        return new OllamaFrames();
    }

    @Override
    Provider provider(ModelHttp http, URI address, Supplier<Optional<ProviderKey>> key) {
        return new Ollama(http, address, key);
    }

    @Override
    AnswerReader reader(ProviderToolNames names) {
        return Ollama.reader(names);
    }

    @Override
    String keyIn(ScriptedServer.Request request) {
        return request.headers().getOrDefault("authorization", "");
    }
}
