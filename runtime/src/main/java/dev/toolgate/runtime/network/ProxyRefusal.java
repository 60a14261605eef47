package dev.toolgate.runtime.network;

import dev.toolgate.core.tool.ToolFailure;
import java.nio.charset.StandardCharsets;

/** The refusal of a proxy request: an HTTP status and one sentence. */
final class ProxyRefusal extends Exception {
    private final transient Status status;

    /** The status codes that the proxy itself returns. */
    enum Status {
        BAD_REQUEST("400 Bad Request"),
        FORBIDDEN("403 Forbidden"),
        LENGTH_REQUIRED("411 Length Required"),
        HEAD_TOO_LARGE("431 Request Header Fields Too Large"),
        BAD_GATEWAY("502 Bad Gateway"),
        BUSY("503 Service Unavailable");

        private final String line;

        Status(String line) {
            this.line = line;
        }
    }

    ProxyRefusal(Status status, String sentence) {
        super(sentence, null, false, false);
        this.status = status;
    }

    static ProxyRefusal of(ToolFailure failure) {
        Status status =
                switch (failure.failure().code()) {
                    case PERMISSION_DENIED, CAPABILITY_DENIED -> Status.FORBIDDEN;
                    case INVALID_REQUEST -> Status.BAD_REQUEST;
                    default -> Status.BAD_GATEWAY;
                };
        return new ProxyRefusal(status, failure.failure().message());
    }

    /** The whole response. */
    byte[] response() {
        byte[] body = (getMessage() + ".\n").getBytes(StandardCharsets.UTF_8);
        byte[] head = ("HTTP/1.1 " + status.line + "\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: "
                        + body.length + "\r\nConnection: close\r\n\r\n")
                .getBytes(StandardCharsets.US_ASCII);
        byte[] whole = new byte[head.length + body.length];
        System.arraycopy(head, 0, whole, 0, head.length);
        System.arraycopy(body, 0, whole, head.length, body.length);
        return whole;
    }
}
