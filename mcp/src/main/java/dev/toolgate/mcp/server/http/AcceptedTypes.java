package dev.toolgate.mcp.server.http;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Which media types a client accepts. */
record AcceptedTypes(boolean json, boolean events) {
    /** Reads {@code Accept}; the default is JSON, and a wildcard does not include event streams. */
    static AcceptedTypes of(@Nullable String accept) {
        if (accept == null) {
            return new AcceptedTypes(true, false);
        }
        boolean json = false;
        boolean events = false;
        for (String part : accept.split(",", 20)) {
            int semicolon = part.indexOf(';');
            String type = (semicolon < 0 ? part : part.substring(0, semicolon))
                    .strip()
                    .toLowerCase(Locale.ROOT);
            json |= type.equals("application/json") || type.equals("application/*") || type.equals("*/*");
            events |= type.equals("text/event-stream");
        }
        return new AcceptedTypes(json, events);
    }
}
