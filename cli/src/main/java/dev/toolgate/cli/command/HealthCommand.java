package dev.toolgate.cli.command;

import dev.toolgate.cli.client.Api;
import dev.toolgate.cli.client.ServerOptions;
import dev.toolgate.cli.terminal.PrintableText;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import tools.jackson.databind.JsonNode;

/** {@code toolgate health}: shows a server's health; also the health check of the container. */
@Command(
        name = "health",
        description = "Show the health of a server; exits with 1 if it cannot serve calls.",
        mixinStandardHelpOptions = true)
public final class HealthCommand implements Callable<Integer> {
    @Mixin
    private ServerOptions server = new ServerOptions();

    @Override
    public Integer call() throws IOException {
        try (Api api = server.withoutKey()) {
            JsonNode health = api.health();
            server.output().print(health, () -> text(health));
            return health.path("status").asString("").equals("down") ? 1 : 0;
        }
    }

    private static String text(JsonNode health) {
        StringBuilder text = new StringBuilder(PrintableText.of(health.path("status")));
        if (health.path("version").isString()) {
            text.append(", version ").append(PrintableText.of(health.path("version")));
        }
        health.path("checks")
                .properties()
                .forEach(check -> text.append("\n  %-10s %-9s %s"
                        .formatted(
                                PrintableText.of(check.getKey()),
                                PrintableText.of(check.getValue().path("status")),
                                PrintableText.of(check.getValue().path("detail")))));
        return text.toString();
    }
}
