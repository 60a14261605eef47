package dev.toolgate.cli.chat;

import dev.toolgate.cli.client.Api;
import dev.toolgate.cli.client.RequestTarget;
import dev.toolgate.cli.terminal.PrintableText;
import dev.toolgate.cli.terminal.WrongUsage;
import java.io.IOException;
import java.util.List;

/** The provider that need not be named, because the server has a key for no other. */
final class OnlyProvider {
    private OnlyProvider() {}

    /**
     * Its name.
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
                        ? "the server has no key for any provider: name one with --provider, with your own key by"
                                + " --api-key-env where it wants one, or configure the server's"
                        : "say with --provider which one answers: " + String.join(", ", ready));
    }
}
