package dev.toolgate.cli.command;

import dev.toolgate.cli.client.Api;
import dev.toolgate.cli.client.Refusal;
import dev.toolgate.cli.client.RequestTarget;
import dev.toolgate.cli.client.ServerOptions;
import dev.toolgate.cli.terminal.Columns;
import dev.toolgate.cli.terminal.PrintableText;
import dev.toolgate.core.json.Json;
import java.io.IOException;
import java.net.http.HttpTimeoutException;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** {@code toolgate models}: lists language models. */
@Command(
        name = "models",
        description = "List the providers of language models and their models.",
        mixinStandardHelpOptions = true)
public final class ModelsCommand implements Callable<Integer> {
    private static final Columns COLUMNS = new Columns().field("MODEL", "id").field("NAME", "name");

    @Mixin
    private ServerOptions server = new ServerOptions();

    @Option(
            names = "--provider",
            paramLabel = "PROVIDER",
            description = "Only this provider: claude, openai or ollama.")
    private @Nullable String provider;

    @Override
    public Integer call() throws IOException {
        try (Api api = server.api()) {
            if (provider == null) {
                ArrayNode all = all(api.get(RequestTarget.api("providers")), name -> models(api, name));
                server.output().print(all, () -> text(all));
            } else {
                server.output().print(models(api, provider), COLUMNS, "There are no models.");
            }
            return 0;
        }
    }

    private static JsonNode models(Api api, String provider) throws IOException {
        return api.get(RequestTarget.api("providers", provider, "models"));
    }

    /** The models of one provider. */
    @FunctionalInterface
    interface Models {
        JsonNode of(String provider) throws IOException;
    }

    /** A provider that fails does not hide the others. */
    static ArrayNode all(JsonNode providers, Models models) throws IOException {
        ArrayNode all = Json.MAPPER.createArrayNode();
        for (JsonNode one : providers) {
            ObjectNode entry = all.addObject();
            one.properties().forEach(field -> entry.set(field.getKey(), field.getValue()));
            String name = one.path("name").asString("");
            try {
                entry.set("models", models.of(name));
            } catch (Refusal refused) {
                entry.put("problem", refused.getMessage());
            } catch (IOException silent) {
                if (!(silent.getCause() instanceof HttpTimeoutException)) {
                    throw silent; // the server itself is unreachable
                }
                entry.put("problem", "The server did not answer in time; try again with --provider " + name + ".");
            }
        }
        return all;
    }

    private static String text(ArrayNode all) {
        return String.join("\n\n", all.valueStream().map(ModelsCommand::block).toList());
    }

    private static String block(JsonNode provider) {
        String head = PrintableText.of(provider.path("name")) + " at " + PrintableText.of(provider.path("base_url"))
                + (provider.path("key_configured").asBoolean(false) ? ", key configured" : ", no key configured");
        JsonNode models = provider.path("models");
        String rest = provider.has("problem")
                ? PrintableText.of(provider.path("problem"))
                : models.isEmpty() ? "There are no models." : COLUMNS.table(models);
        return head + "\n" + rest.indent(2).stripTrailing();
    }
}
