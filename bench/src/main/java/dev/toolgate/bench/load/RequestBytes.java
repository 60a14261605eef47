package dev.toolgate.bench.load;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** A request, made once; only its id changes from one to the next. Used by one thread. */
final class RequestBytes {
    private static final String ID = "000000000000";
    private static long ids;

    private final ByteBuffer bytes;
    private final int lastDigit;

    RequestBytes(String path, String key, String agent, String tool) {
        String body = "{\"request_id\":\"load-" + ID + "\",\"agent_id\":\"" + agent + "\",\"tool_name\":\"" + tool
                + "\",\"operation\":\"execute\",\"parameters\":{\"text\":\"hello\"}}";
        String request = "POST " + path + " HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " + key
                + "\r\nContent-Type: application/json\r\nContent-Length: " + body.length() + "\r\n\r\n" + body;
        byte[] ascii = request.getBytes(StandardCharsets.US_ASCII);
        bytes = ByteBuffer.allocateDirect(ascii.length).put(ascii);
        lastDigit = request.indexOf("load-" + ID) + "load-".length() + ID.length() - 1;
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
