package dev.toolgate.mcp.server.http;

import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One HTTP request.
 *
 * @param method as in the request line
 * @param headers gives the first value of a header, whatever its case; null if it was not sent
 * @param body empty if there is none; bounded by whoever read it
 * @param caller stands for whoever sent it; given to what is offered
 * @param callerKey the same as a text, to which sessions are bound
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
