package dev.toolgate.chat.provider;

import dev.toolgate.chat.model.ProviderFailed;
import dev.toolgate.chat.model.ProviderFailure.Kind;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Reads the data of server-sent events, bounded like a line; all providers repeat the event name in the data. */
final class SseData {
    private static final String FIELD = "data:";

    private final Lines lines;

    SseData(Lines lines) {
        this.lines = lines;
    }

    /** The data of the next non-empty event; {@code null} after the last complete one. */
    @Nullable
    String next() throws IOException, ProviderFailed {
        StringBuilder data = null;
        for (String line = lines.next(); line != null; line = lines.next()) {
            if (line.isEmpty() && data != null) {
                return data.toString();
            }
            if (line.startsWith(FIELD)) {
                String value = line.substring(FIELD.length());
                data = data == null ? new StringBuilder() : data.append('\n');
                data.append(value.startsWith(" ") ? value.substring(1) : value);
                if (data.length() > lines.maxBytes()) {
                    throw new ProviderFailed(
                            Kind.TOO_LARGE,
                            "The provider sent an event of more than " + lines.maxBytes() + " characters.");
                }
            }
        }
        return null;
    }
}
