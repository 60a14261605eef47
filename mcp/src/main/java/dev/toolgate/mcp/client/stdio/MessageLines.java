package dev.toolgate.mcp.client.stdio;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/**
 * Reads messages from lines. A line beyond the maximum size is not kept, but scanned for the id of the request that it
 * answers, so that only that request fails.
 */
final class MessageLines {
    /** A line, or why it could not be kept. */
    sealed interface Line {}

    /** A line within the maximum size, without its terminator. */
    @SuppressWarnings("ArrayRecordComponent") // only read, never compared
    record Whole(byte[] bytes) implements Line {}

    /**
     * A line beyond the maximum size.
     *
     * @param id of the request that it answers; null if it contains none
     */
    record TooLong(@Nullable Long id) implements Line {}

    /** A line that exceeds even the scanning limit; reading cannot continue. */
    record Endless() implements Line {}

    private static final int CHUNK = 16 << 10;
    private static final int ENDLESS_FACTOR = 32;
    private static final JsonFactory JSON = new JsonFactory();

    private final InputStream in;
    private final int maxBytes;
    private final byte[] chunk = new byte[CHUNK];
    private int from;
    private int to;
    private byte[] line = new byte[CHUNK];

    MessageLines(InputStream in, int maxBytes) {
        this.in = in;
        this.maxBytes = maxBytes;
    }

    /** The next line that is not empty; null at the end of the input. An unterminated last line is ignored. */
    @Nullable
    Line next() throws IOException {
        int length = 0;
        while (from < to || fill()) {
            int end = from;
            while (end < to && chunk[end] != '\n') {
                end++;
            }
            int count = end - from;
            if (length + count > maxBytes) {
                return tooLong(length);
            }
            if (length + count > line.length) {
                line = Arrays.copyOf(line, Math.max(length + count, Math.min(maxBytes, line.length * 2)));
            }
            System.arraycopy(chunk, from, line, length, count);
            length += count;
            from = end;
            if (end < to) {
                from++;
                int kept = length > 0 && line[length - 1] == '\r' ? length - 1 : length;
                if (kept > 0) {
                    return whole(kept);
                }
                length = 0;
            }
        }
        return null;
    }

    private Line whole(int length) {
        Line found = new Whole(Arrays.copyOf(line, length));
        if (line.length > 16 * CHUNK) {
            line = new byte[CHUNK]; // releases the buffer of a large message
        }
        return found;
    }

    private Line tooLong(int kept) throws IOException {
        InputStream beginning = new ByteArrayInputStream(line, 0, kept);
        line = new byte[CHUNK];
        Rest rest = new Rest((long) maxBytes * ENDLESS_FACTOR);
        Long id = null;
        try {
            id = id(new SequenceInputStream(beginning, rest));
        } catch (JacksonException notJson) {
            // Not JSON, so it answers no request.
        }
        rest.skipToEnd();
        return rest.exhausted ? new Endless() : new TooLong(id);
    }

    private static @Nullable Long id(InputStream json) {
        try (JsonParser parser = JSON.createParser(ObjectReadContext.empty(), json)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                return null;
            }
            while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
                boolean isId = parser.currentName().equals("id");
                JsonToken value = parser.nextToken();
                if (isId) {
                    return value == JsonToken.VALUE_NUMBER_INT ? parser.getLongValue() : null;
                }
                parser.skipChildren();
            }
            return null;
        }
    }

    private boolean fill() throws IOException {
        int read = in.read(chunk);
        from = 0;
        to = Math.max(read, 0);
        return read > 0;
    }

    /** The bytes up to the end of the line. */
    private final class Rest extends InputStream {
        private long left;
        private boolean ended;
        private boolean exhausted;

        Rest(long max) {
            this.left = max;
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] target, int offset, int length) throws IOException {
            if (ended || (from == to && !fill())) {
                ended = true;
                return -1;
            }
            if (left <= 0) {
                exhausted = true;
                ended = true;
                return -1;
            }
            int end = from;
            int limit = Math.min(to, from + length);
            while (end < limit && chunk[end] != '\n') {
                end++;
            }
            int count = end - from;
            System.arraycopy(chunk, from, target, offset, count);
            from = end;
            left -= count;
            if (end < to && chunk[end] == '\n') {
                from++;
                ended = true;
            }
            return count == 0 ? -1 : count;
        }

        void skipToEnd() throws IOException {
            byte[] ignored = new byte[CHUNK];
            while (!ended) {
                if (read(ignored, 0, CHUNK) < 0) {
                    return;
                }
            }
        }
    }
}
