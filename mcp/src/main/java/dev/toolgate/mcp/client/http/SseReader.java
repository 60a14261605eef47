package dev.toolgate.mcp.client.http;

import dev.toolgate.mcp.client.transport.McpFailure;
import dev.toolgate.mcp.client.transport.McpFailureKind;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Reads an event stream on the calling thread. An event and, optionally, the whole stream have a maximum size, beyond
 * which reading fails, so that memory stays bounded.
 */
final class SseReader {
    /** For streams that stay open: every event is bounded, the stream is not. */
    static final long UNBOUNDED = Long.MAX_VALUE;

    private static final int CHUNK = 8 << 10;
    private static final int MAX_ID_LENGTH = 1_024;
    private static final int KEPT_BUFFER = 64 << 10;
    private static final Duration MAX_RETRY = Duration.ofMinutes(5);

    private final InputStream in;
    private final int maxEventBytes;
    private final long maxTotalBytes;
    private final byte[] chunk = new byte[CHUNK];
    private int from;
    private int to;
    private long total;
    private byte[] line = new byte[256];
    private int lineLength;
    private byte[] data = new byte[256];
    private int dataLength;
    private boolean hasData;
    private boolean otherType;
    private boolean afterCarriageReturn;
    private boolean firstLine = true;
    private @Nullable String lastId;
    private @Nullable Duration retry;

    SseReader(InputStream in, int maxEventBytes, long maxTotalBytes) {
        this.in = in;
        this.maxEventBytes = maxEventBytes;
        this.maxTotalBytes = maxTotalBytes;
    }

    /** The id of the last event that had one. */
    @Nullable
    String lastId() {
        return lastId;
    }

    /** The delay that the server requests before the stream is reopened; null if none. */
    @Nullable
    Duration retry() {
        return retry;
    }

    /** The next message with data; events of other types are skipped. Null at the end of the stream. */
    @Nullable
    SseEvent next() throws IOException, McpFailure {
        while (readLine()) {
            if (lineLength == 0) {
                SseEvent event = hasData && !otherType ? new SseEvent(lastId, Arrays.copyOf(data, dataLength)) : null;
                startEvent();
                if (event != null) {
                    return event;
                }
            } else {
                field();
            }
            lineLength = 0;
        }
        return null;
    }

    private void startEvent() {
        dataLength = 0;
        hasData = false;
        otherType = false;
        if (data.length > KEPT_BUFFER) {
            data = new byte[256];
        }
        if (line.length > KEPT_BUFFER) {
            line = new byte[256];
        }
    }

    private boolean readLine() throws IOException, McpFailure {
        while (true) {
            if (from == to && !fill()) {
                return false;
            }
            if (afterCarriageReturn) {
                afterCarriageReturn = false;
                if (chunk[from] == '\n') {
                    from++;
                    continue;
                }
            }
            int end = from;
            while (end < to && chunk[end] != '\n' && chunk[end] != '\r') {
                end++;
            }
            line = append(line, lineLength, chunk, from, end - from);
            lineLength += end - from;
            from = end;
            if (end < to) {
                afterCarriageReturn = chunk[end] == '\r';
                from++;
                skipByteOrderMark();
                return true;
            }
        }
    }

    private boolean fill() throws IOException, McpFailure {
        int read = in.read(chunk);
        if (read <= 0) {
            return false;
        }
        from = 0;
        to = read;
        total += read;
        if (total > maxTotalBytes) {
            throw tooLarge("more than " + maxTotalBytes + " bytes");
        }
        return true;
    }

    private void skipByteOrderMark() {
        if (firstLine
                && lineLength >= 3
                && line[0] == (byte) 0xEF
                && line[1] == (byte) 0xBB
                && line[2] == (byte) 0xBF) {
            System.arraycopy(line, 3, line, 0, lineLength - 3);
            lineLength -= 3;
        }
        firstLine = false;
    }

    private void field() throws McpFailure {
        int colon = 0;
        while (colon < lineLength && line[colon] != ':') {
            colon++;
        }
        int value = Math.min(colon + 1, lineLength);
        if (value < lineLength && line[value] == ' ') {
            value++;
        }
        if (colon == 4 && line[0] == 'd' && line[1] == 'a' && line[2] == 't' && line[3] == 'a') {
            if (hasData) {
                data = append(data, dataLength, new byte[] {'\n'}, 0, 1);
                dataLength++;
            }
            data = append(data, dataLength, line, value, lineLength - value);
            dataLength += lineLength - value;
            hasData = true;
        } else if (colon == 2 && line[0] == 'i' && line[1] == 'd') {
            identify(text(value));
        } else if (colon == 5) {
            switch (new String(line, 0, 5, StandardCharsets.US_ASCII)) {
                case "event" -> otherType = lineLength > value && !text(value).equals("message");
                case "retry" -> delay(text(value));
                default -> {} // the format asks to ignore unknown fields
            }
        }
    }

    private String text(int value) {
        return new String(line, value, lineLength - value, StandardCharsets.UTF_8);
    }

    private void identify(String id) {
        // It is sent back as a header, so it must be a valid header value.
        boolean fits = id.length() <= MAX_ID_LENGTH && id.chars().allMatch(c -> c >= 0x20 && c < 0x7f);
        if (fits) {
            lastId = id.isEmpty() ? null : id;
        }
    }

    private void delay(String value) {
        if (!value.isEmpty() && value.length() <= 9 && value.chars().allMatch(c -> c >= '0' && c <= '9')) {
            Duration asked = Duration.ofMillis(Long.parseLong(value));
            retry = asked.compareTo(MAX_RETRY) > 0 ? MAX_RETRY : asked;
        }
    }

    private byte[] append(byte[] target, int length, byte[] source, int offset, int count) throws McpFailure {
        if (count > maxEventBytes - length) {
            throw tooLarge("an event of more than " + maxEventBytes + " bytes");
        }
        byte[] grown = target;
        if (length + count > target.length) {
            int doubled = (int) Math.min((long) target.length * 2, Integer.MAX_VALUE - 8);
            grown = Arrays.copyOf(target, Math.max(doubled, length + count));
        }
        System.arraycopy(source, offset, grown, length, count);
        return grown;
    }

    private static McpFailure tooLarge(String what) {
        return new McpFailure(McpFailureKind.TOO_LARGE, "The server's event stream has " + what + "; it was aborted.");
    }
}
