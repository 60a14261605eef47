package dev.toolgate.chat.provider;

import dev.toolgate.chat.model.Provider;
import dev.toolgate.chat.model.ProviderKey;
import java.net.URI;
import java.util.Optional;
import java.util.function.Supplier;

class ClaudeContractTest extends ProviderContract {
    @Override
    Frames frames() {
        return new ClaudeFrames();
    }

    @Override
    Provider provider(ModelHttp http, URI address, Supplier<Optional<ProviderKey>> key) {
        return new Claude(http, address, key);
    }

    @Override
    AnswerReader reader(ProviderToolNames names) {
        return Claude.reader(names);
    }

    @Override
    String keyIn(ScriptedServer.Request request) {
        return request.headers().getOrDefault("x-api-key", "");
    }
}
