package dev.toolgate.chat.provider;

import dev.toolgate.chat.model.ProviderFailed;
import dev.toolgate.chat.model.ProviderFailure.Kind;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * The data of server-sent events, none longer than a line may be; their names stand in the data too, with every
 * provider there is.
 */
final class SseData {
    private static final String FIELD = "data:";

    private final Lines lines;

    SseData(Lines lines) {
        this.lines = lines;
    }

    /** The data of the next event that has any; {@code null} after the last whole event. */
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
                if (data.length() > lines.longest()) {
                    throw new ProviderFailed(
                            Kind.TOO_LARGE,
                            "The provider sent an event of more than " + lines.longest() + " characters.");
                }
            }
        }
        return null;
    }
}
