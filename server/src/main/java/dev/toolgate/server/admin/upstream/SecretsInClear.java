package dev.toolgate.server.admin.upstream;

import dev.toolgate.core.json.Json;
import dev.toolgate.core.redact.Redactor;
import dev.toolgate.store.upstream.McpServerSettings;
import java.util.Optional;

/** Finds secrets among the settings of a server, where only their names belong. */
final class SecretsInClear {
    private static final int SHORTEST = 6;

    private SecretsInClear() {}

    /** The field that seems to hold a secret, if there is one; the value is never shown. */
    static Optional<String> in(McpServerSettings settings) {
        Redactor redactor = Redactor.standard();
        if (settings.url() != null && isMasked(redactor, settings.url().toString())) {
            return Optional.of("url");
        }
        for (int i = 0; i < settings.command().size(); i++) {
            String word = settings.command().get(i);
            String before = i == 0 ? "" : settings.command().get(i - 1) + " ";
            if (isMasked(redactor, word) || isMasked(redactor, before + word)) {
                return Optional.of("command");
            }
        }
        return settings.environment().entrySet().stream()
                .filter(variable -> isSecret(redactor, variable.getKey(), variable.getValue()))
                .map(variable -> "environment." + variable.getKey())
                .sorted()
                .findFirst();
    }

    // A number or a switch under such a name, TOKEN_LIMIT for one, is no secret.
    private static boolean isSecret(Redactor redactor, String name, String value) {
        return value.length() >= SHORTEST
                && !value.chars().allMatch(Character::isDigit)
                && redactor.mask(Json.MAPPER.createObjectNode().put(name, value))
                                .value()
                                .path(name)
                                .asString("")
                                .indexOf(value)
                        < 0;
    }

    private static boolean isMasked(Redactor redactor, String text) {
        return !redactor.mask(text).value().equals(text);
    }
}
