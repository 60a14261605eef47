package dev.toolgate.mcp.client.http;

import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The head of an HTTP response and its body, which is streamed.
 *
 * @param headers the values of a header by its case-insensitive name; empty if there are none
 * @param body can be closed by another thread; the reading thread then gets an exception
 */
public record ClientHttpResponse(int status, Function<String, List<String>> headers, InputStream body)
        implements AutoCloseable {
    /** The first value of a header; null if there is none. */
    public @Nullable String header(String name) {
        List<String> values = headers.apply(name);
        return values.isEmpty() ? null : values.getFirst();
    }

    /** The media type in lower case and without parameters; empty if none was given. */
    public String mediaType() {
        String type = header("Content-Type");
        if (type == null) {
            return "";
        }
        int semicolon = type.indexOf(';');
        return (semicolon < 0 ? type : type.substring(0, semicolon)).strip().toLowerCase(Locale.ROOT);
    }

    /** Discards the rest of the body. */
    @Override
    public void close() {
        try {
            body.close();
        } catch (IOException gone) {
            // The body is no longer needed.
        }
    }
}
