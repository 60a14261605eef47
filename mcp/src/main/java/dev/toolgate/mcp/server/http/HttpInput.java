package dev.toolgate.mcp.server.http;

import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One HTTP request.
 *
 * @param method as in the request line
 * @param headers the first value of a header by its case-insensitive name; null if it was not sent
 * @param body empty if there is none; its size was limited by the HTTP server
 * @param caller identifies the sender; passed to the offered tools and resources
 * @param callerKey the same as a string, to which sessions are bound
 */
@SuppressWarnings("ArrayRecordComponent") // never compared, only read
public record HttpInput(
        String method, Function<String, @Nullable String> headers, byte[] body, Object caller, String callerKey) {

    /** A header without the white space around it; null if it was not sent. */
    @Nullable
    String header(String name) {
        String value = headers.apply(name);
        return value == null ? null : value.strip();
    }
}
