package dev.toolgate.server.admin.upstream;

import dev.toolgate.core.json.Json;
import dev.toolgate.core.redact.Redactor;
import dev.toolgate.store.upstream.McpServerSettings;
import java.util.Optional;

/** Finds secrets among the settings of a server, where only their names belong. */
final class SecretsInClear {
    private static final int MIN_SECRET_LENGTH = 6;

    private SecretsInClear() {}

    /** The field that seems to contain a secret, if any; the value is never shown. */
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

    // A number or a flag under such a name, for example TOKEN_LIMIT, is not a secret.
    private static boolean isSecret(Redactor redactor, String name, String value) {
        return value.length() >= MIN_SECRET_LENGTH
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
