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

/** Reads the JSON that model servers send, one object per event or per line. */
final class ServerJson {
    private ServerJson() {}

    static ObjectNode object(String text) throws ProviderFailed {
        try {
            if (Json.MAPPER.readTree(text) instanceof ObjectNode object) {
                return object;
            }
        } catch (JacksonException malformed) {
            // The cause would quote what the server sent.
        }
        throw new ProviderFailed(
                ProviderFailure.of(Kind.MALFORMED, "The provider sent something that is not a JSON object."), null);
    }

    /** The object on the next line that is not blank; {@code null} at the end, or where a last line was cut off. */
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
