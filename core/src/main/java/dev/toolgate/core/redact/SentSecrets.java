package dev.toolgate.core.redact;

import dev.toolgate.core.call.Call;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Which secrets a caller has sent itself, in this call or earlier. They are returned unmasked: masking would reveal
 * which guess was right.
 */
final class SentSecrets {
    static final SentSecrets NONE = new SentSecrets();

    private final @Nullable Call call;
    private final KnownSecrets known;
    private final Map<String, Boolean> asked = new ConcurrentHashMap<>();

    SentSecrets(Call call, KnownSecrets known) {
        this.call = call;
        this.known = known;
    }

    private SentSecrets() {
        this.call = null;
        this.known = new KnownSecrets();
    }

    /** Whether the caller has not sent it; looked up only for secrets about to be shown. */
    boolean isSecret(String secret) {
        Call made = call;
        return made == null || !asked.computeIfAbsent(secret, found -> hasSent(made, found));
    }

    private boolean hasSent(Call made, String secret) {
        boolean[] found = {known.wasSentBy(made.caller().tenant(), made.caller().agent(), secret)};
        if (!found[0]) {
            SecretFinder finder = SecretFinder.of(List.of(secret));
            everyText(
                    made,
                    text -> finder.find(
                            text,
                            _ -> {
                                found[0] = true;
                                return false;
                            },
                            new Masks()));
        }
        return found[0];
    }

    /** Every text of a call that the caller controls. */
    static void everyText(Call call, Consumer<String> reader) {
        reader.accept(call.toolName());
        reader.accept(call.operation());
        reader.accept(call.requestId().value());
        if (call.project() != null) {
            reader.accept(call.project());
        }
        if (call.caller().session() != null) {
            reader.accept(call.caller().session().value());
        }
        everyText(call.arguments(), reader);
    }

    private static void everyText(JsonNode value, Consumer<String> reader) {
        if (value.isString()) {
            reader.accept(value.stringValue());
        } else if (value.isObject()) {
            value.properties().forEach(field -> {
                reader.accept(field.getKey());
                everyText(field.getValue(), reader);
            });
        } else {
            value.forEach(item -> everyText(item, reader));
        }
    }
}
