package dev.toolgate.cli.chat;

import dev.toolgate.cli.client.Api;
import dev.toolgate.cli.client.RequestTarget;
import dev.toolgate.cli.terminal.PrintableText;
import dev.toolgate.cli.terminal.WrongUsage;
import java.io.IOException;
import java.util.List;

/** The default provider: the only one the server has a key for. */
final class OnlyProvider {
    private OnlyProvider() {}

    /**
     * The name of the provider.
     *
     * @throws WrongUsage if there is not exactly one
     */
    static String of(Api api) throws IOException {
        List<String> ready = api.get(RequestTarget.api("providers"))
                .valueStream()
                .filter(provider -> provider.path("key_configured").asBoolean(false))
                .map(provider -> PrintableText.of(provider.path("name")))
                .toList();
        if (ready.size() == 1) {
            return ready.getFirst();
        }
        throw new WrongUsage(
                ready.isEmpty()
                        ? "the server has no key for any provider; give one with --provider, and your own key with"
                                + " --api-key-env if it needs one, or configure a key on the server"
                        : "choose a provider with --provider: " + String.join(", ", ready));
    }
}
