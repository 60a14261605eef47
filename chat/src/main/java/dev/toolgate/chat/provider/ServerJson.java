package dev.toolgate.chat.provider;

import dev.toolgate.chat.model.ProviderFailed;
import dev.toolgate.chat.model.ProviderFailure;
import dev.toolgate.chat.model.ProviderFailure.Kind;
import dev.toolgate.core.json.Json;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Parses JSON from model servers, one object per event or line. */
final class ServerJson {
    private ServerJson() {}

    static ObjectNode object(String text) throws ProviderFailed {
        try {
            if (Json.MAPPER.readTree(text) instanceof ObjectNode object) {
                return object;
            }
        } catch (JacksonException malformed) {
            // The cause would quote the server's text.
        }
        throw new ProviderFailed(
                ProviderFailure.of(Kind.MALFORMED, "The provider sent something that is not a JSON object."), null);
    }

    /** The object on the next non-blank line; {@code null} at the end or at a truncated last line. */
    static @Nullable ObjectNode next(Lines lines) throws IOException, ProviderFailed {
        for (String line = lines.next(); line != null; line = lines.next()) {
            if (!line.isBlank()) {
                try {
                    return object(line);
                } catch (ProviderFailed malformed) {
                    if (lines.atEnd()) {
                        return null;
                    }
                    throw malformed;
                }
            }
        }
        return null;
    }

    static String text(JsonNode object, String field) {
        return object.path(field).asString("");
    }
}
