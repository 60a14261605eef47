package dev.toolgate.runtime.tools.file;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.util.Arrays;

/**
 * A range of lines of a file, read from its start in bounded memory.
 *
 * @param bytes the lines, unchanged
 * @param lines the number of lines, including a partial last one
 * @param bytesRead how much of the file was read
 */
@SuppressWarnings("ArrayRecordComponent") // never compared, never changed
record TextWindow(byte[] bytes, long lines, long bytesRead, End end) {
    private static final int CHUNK = 256 * 1024;

    /** Why the window ends. */
    enum End {
        /** The file ends. */
        END_OF_FILE,
        /** The requested number of lines was read. */
        LINE_LIMIT,
        /** The byte limit was reached; the window has whole lines only. */
        BYTE_LIMIT,
        /** The byte limit was reached within the first line. */
        WITHIN_LINE,
        /** The file is larger than the policy permits. */
        SIZE_LIMIT
    }

    /** The requested range: lines from {@code first} (1-based), limited in number and bytes. */
    record Wanted(long first, long lines, int room, long maxRead) {}

    static TextWindow read(ReadableByteChannel channel, TextEncoding form, Wanted wanted)
            throws IOException, InterruptedException {
        Scan scan = new Scan(form, wanted);
        ByteBuffer chunk = ByteBuffer.allocate(CHUNK);
        boolean more = true;
        while (more && scan.end == End.END_OF_FILE) {
            more = Bytes.fill(channel, chunk.clear());
            scan.take(chunk.array(), chunk.position());
        }
        return scan.window();
    }

    private static final class Scan {
        private final TextEncoding form;
        private final Wanted wanted;
        private final ByteArrayOutputStream kept = new ByteArrayOutputStream();
        private long newlines;
        private int keptUpToLine;
        private long keptLines;
        private long read;
        private End end = End.END_OF_FILE;

        Scan(TextEncoding form, Wanted wanted) {
            this.form = form;
            this.wanted = wanted;
        }

        void take(byte[] chunk, int length) {
            int at = read == 0 ? Math.min(form.bomLength(), length) : 0;
            read += length;
            if (read > wanted.maxRead()) {
                end = End.SIZE_LIMIT;
                return;
            }
            while (newlines < wanted.first() - 1 && at < length) {
                at = afterNewline(chunk, at, length);
            }
            while (at < length && end == End.END_OF_FILE) {
                long before = newlines;
                int next = afterNewline(chunk, at, length);
                keep(chunk, at, next, newlines > before);
                at = next;
            }
        }

        private void keep(byte[] chunk, int from, int to, boolean wholeLine) {
            int room = wanted.room() - kept.size();
            kept.write(chunk, from, Math.min(room, to - from));
            if (to - from > room) {
                end = keptUpToLine > 0 ? End.BYTE_LIMIT : End.WITHIN_LINE;
            } else if (wholeLine) {
                keptUpToLine = kept.size();
                keptLines++;
                end = keptLines == wanted.lines() ? End.LINE_LIMIT : end;
            }
        }

        /** The position after the next line feed, or the end of the chunk. */
        private int afterNewline(byte[] chunk, int from, int length) {
            int unit = form.unit();
            for (int at = from; at + unit <= length; at += unit) {
                if (chunk[at + form.newlineByte()] == '\n' && form.isNewline(chunk, at)) {
                    newlines++;
                    return at + unit;
                }
            }
            return length;
        }

        TextWindow window() {
            byte[] all = kept.toByteArray();
            if (end == End.BYTE_LIMIT) {
                return new TextWindow(Arrays.copyOf(all, keptUpToLine), keptLines, read, end);
            }
            long begun = keptLines + (all.length > keptUpToLine ? 1 : 0);
            return new TextWindow(all, begun, read, end);
        }
    }
}
