package dev.toolgate.bench.load;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.function.Supplier;

/** A request that is encoded once; only its id changes. Not thread-safe. */
final class RequestBytes implements RequestSequence, Supplier<RequestSequence> {
    /** The placeholder for the id, which is different in every request. */
    static final String FRESH = "load-000000000000";

    private static final String ID = "000000000000";
    private static long ids;

    private final ByteBuffer bytes;
    private final int lastDigit;

    /** A call through the access API. */
    RequestBytes(String path, String key, String agent, String tool) {
        this(
                path,
                key,
                "{\"request_id\":\"" + FRESH + "\",\"agent_id\":\"" + agent + "\",\"tool_name\":\"" + tool
                        + "\",\"operation\":\"execute\",\"parameters\":{\"text\":\"hello\"}}");
    }

    /**
     * Any request.
     *
     * @param body must contain {@link #FRESH}
     */
    RequestBytes(String path, String key, String body) {
        this(path, key, Map.of(), body);
    }

    /** Any request with further headers. */
    RequestBytes(String path, String key, Map<String, String> headers, String body) {
        StringBuilder more = new StringBuilder();
        headers.forEach(
                (name, value) -> more.append(name).append(": ").append(value).append("\r\n"));
        String request = "POST " + path + " HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " + key
                + "\r\nContent-Type: application/json\r\n" + more + "Content-Length: " + body.length() + "\r\n\r\n"
                + body;
        byte[] ascii = request.getBytes(StandardCharsets.US_ASCII);
        bytes = ByteBuffer.allocateDirect(ascii.length).put(ascii);
        lastDigit = request.indexOf(FRESH) + FRESH.length() - 1;
    }

    /** All connections share it. */
    @Override
    public RequestSequence get() {
        return this;
    }

    /** An id that no request had. */
    static long newId() {
        return ++ids;
    }

    /** The bytes of a request with a new id. */
    @Override
    public ByteBuffer next() {
        return withId(newId());
    }

    /** The bytes of a request with this id. */
    ByteBuffer withId(long id) {
        long rest = id;
        for (int digit = lastDigit; digit > lastDigit - ID.length(); digit--) {
            bytes.put(digit, (byte) ('0' + rest % 10));
            rest /= 10;
        }
        return bytes.flip().limit(bytes.capacity());
    }
}
