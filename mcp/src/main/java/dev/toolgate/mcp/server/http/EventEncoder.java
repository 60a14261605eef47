package dev.toolgate.mcp.server.http;

import java.nio.charset.StandardCharsets;
import java.util.Map;

/** Server-sent events. */
final class EventEncoder {
    static final Map<String, String> HEADERS =
            Map.of("Content-Type", "text/event-stream", "Cache-Control", "no-store", "X-Accel-Buffering", "no");

    /** A comment, which clients skip. */
    private static final byte[] KEEP_ALIVE = ":\n\n".getBytes(StandardCharsets.US_ASCII);

    private static final byte[] BEFORE = "event: message\ndata: ".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] AFTER = "\n\n".getBytes(StandardCharsets.US_ASCII);

    private EventEncoder() {}

    static byte[] keepAlive() {
        return KEEP_ALIVE.clone();
    }

    /** One message, which is one line. */
    static byte[] message(byte[] json) {
        byte[] event = new byte[BEFORE.length + json.length + AFTER.length];
        System.arraycopy(BEFORE, 0, event, 0, BEFORE.length);
        System.arraycopy(json, 0, event, BEFORE.length, json.length);
        System.arraycopy(AFTER, 0, event, BEFORE.length + json.length, AFTER.length);
        return event;
    }
}
