package dev.toolgate.mcp.client.http;

import dev.toolgate.mcp.client.transport.McpFailure;
import dev.toolgate.mcp.client.transport.McpFailureKind;
import java.io.IOException;
import java.io.InputStream;

/** Reads HTTP bodies up to a maximum size. */
public final class BoundedBody {
    private BoundedBody() {}

    /** The whole body; fails if it exceeds the maximum. */
    public static byte[] read(InputStream body, int maxBytes) throws IOException, McpFailure {
        byte[] bytes = body.readNBytes(maxBytes);
        if (bytes.length == maxBytes && body.read() >= 0) {
            throw new McpFailure(
                    McpFailureKind.TOO_LARGE,
                    "The server's answer has more than " + maxBytes + " bytes; it was aborted.");
        }
        return bytes;
    }

    /** The beginning of the body; the rest is not read. */
    public static byte[] beginning(InputStream body, int maxBytes) throws IOException {
        return body.readNBytes(maxBytes);
    }
}
