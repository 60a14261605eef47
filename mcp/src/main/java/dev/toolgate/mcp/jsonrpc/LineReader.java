package dev.toolgate.mcp.jsonrpc;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Reads lines of bounded length from a pipe; a longer line is skipped and reported, and the next one is read. */
public final class LineReader {
    private static final int CHUNK = 16 << 10;

    /** One line of the input. */
    public sealed interface Line {}

    /** A whole line, without its terminator; never empty. */
    @SuppressWarnings("ArrayRecordComponent") // never compared, only read
    public record Whole(byte[] bytes) implements Line {}

    /** A line that was longer than allowed; its bytes were discarded. */
    public record TooLong(long length) implements Line {}

    private final InputStream in;
    private final int maxBytes;
    private final byte[] chunk = new byte[CHUNK];
    private int from;
    private int to;

    public LineReader(InputStream in, int maxBytes) {
        this.in = in;
        this.maxBytes = maxBytes;
    }

    /** The next line that is not empty; null at the end of the input. An unterminated last line is dropped. */
    public @Nullable Line next() throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        long length = 0;
        while (true) {
            if (from == to && !fill()) {
                return null;
            }
            int end = from;
            while (end < to && chunk[end] != '\n') {
                end++;
            }
            length += end - from;
            if (length <= maxBytes) {
                line.write(chunk, from, end - from);
            } else {
                line = new ByteArrayOutputStream(0);
            }
            boolean complete = end < to;
            from = complete ? end + 1 : end;
            if (complete) {
                if (length > maxBytes) {
                    return new TooLong(length);
                }
                byte[] whole = withoutCarriageReturn(line.toByteArray());
                if (whole.length > 0) {
                    return new Whole(whole);
                }
                line.reset();
                length = 0;
            }
        }
    }

    private boolean fill() throws IOException {
        from = 0;
        to = Math.max(0, in.read(chunk));
        return to > 0;
    }

    private static byte[] withoutCarriageReturn(byte[] line) {
        return line.length > 0 && line[line.length - 1] == '\r' ? Arrays.copyOf(line, line.length - 1) : line;
    }
}
