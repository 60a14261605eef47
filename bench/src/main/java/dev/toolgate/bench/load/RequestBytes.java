package dev.toolgate.bench.load;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** A request, made once; only its id changes from one to the next. Used by one thread. */
final class RequestBytes {
    /** What is another text in every request. */
    static final String FRESH = "load-000000000000";

    private static final String ID = "000000000000";
    private static long ids;

    private final ByteBuffer bytes;
    private final int lastDigit;

    /** A call of the access API. */
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
     * @param body has {@link #FRESH} in it
     */
    RequestBytes(String path, String key, String body) {
        String request = "POST " + path + " HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " + key
                + "\r\nContent-Type: application/json\r\nContent-Length: " + body.length() + "\r\n\r\n" + body;
        byte[] ascii = request.getBytes(StandardCharsets.US_ASCII);
        bytes = ByteBuffer.allocateDirect(ascii.length).put(ascii);
        lastDigit = request.indexOf(FRESH) + FRESH.length() - 1;
    }

    /** The bytes of a request that nobody has sent before. */
    ByteBuffer next() {
        long rest = ++ids;
        for (int digit = lastDigit; digit > lastDigit - ID.length(); digit--) {
            bytes.put(digit, (byte) ('0' + rest % 10));
            rest /= 10;
        }
        return bytes.flip().limit(bytes.capacity());
    }
}
