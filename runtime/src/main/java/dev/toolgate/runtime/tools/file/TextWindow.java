package dev.toolgate.runtime.tools.file;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.util.Arrays;

/**
 * Some lines of a file, found by reading it from its start in bounded memory.
 *
 * @param bytes the lines as they are in the file
 * @param lines how many lines they are, the last one perhaps only in part
 * @param bytesRead how much of the file was read to find them
 */
@SuppressWarnings("ArrayRecordComponent") // never compared, never changed
record TextWindow(byte[] bytes, long lines, long bytesRead, End end) {
    private static final int CHUNK = 256 * 1024;

    /** Why the window ends where it does. */
    enum End {
        /** The file ends there. */
        OF_FILE,
        /** As many lines as were asked for. */
        OF_LIMIT,
        /** More would be too much to show; whole lines only. */
        OF_ROOM,
        /** The same, in the middle of a line that is too long by itself. */
        IN_LINE,
        /** More bytes were read than may be. */
        OF_PERMISSION
    }

    /** What is asked for: lines from {@code first} (1-based), at most so many of them and so many bytes. */
    record Wanted(long first, long lines, int room, long mostRead) {}

    static TextWindow read(ReadableByteChannel channel, TextForm form, Wanted wanted)
            throws IOException, InterruptedException {
        Scan scan = new Scan(form, wanted);
        ByteBuffer chunk = ByteBuffer.allocate(CHUNK);
        boolean more = true;
        while (more && scan.end == End.OF_FILE) {
            more = Bytes.fill(channel, chunk.clear());
            scan.take(chunk.array(), chunk.position());
        }
        return scan.window();
    }

    private static final class Scan {
        private final TextForm form;
        private final Wanted wanted;
        private final ByteArrayOutputStream kept = new ByteArrayOutputStream();
        private long newlines;
        private int keptUpToLine;
        private long keptLines;
        private long read;
        private End end = End.OF_FILE;

        Scan(TextForm form, Wanted wanted) {
            this.form = form;
            this.wanted = wanted;
        }

        void take(byte[] chunk, int length) {
            int at = read == 0 ? Math.min(form.markLength(), length) : 0;
            read += length;
            if (read > wanted.mostRead()) {
                end = End.OF_PERMISSION;
                return;
            }
            while (newlines < wanted.first() - 1 && at < length) {
                at = afterNewline(chunk, at, length);
            }
            while (at < length && end == End.OF_FILE) {
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
                end = keptUpToLine > 0 ? End.OF_ROOM : End.IN_LINE;
            } else if (wholeLine) {
                keptUpToLine = kept.size();
                keptLines++;
                end = keptLines == wanted.lines() ? End.OF_LIMIT : end;
            }
        }

        /** The place after the next line feed, or the end of the chunk. */
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
            if (end == End.OF_ROOM) {
                return new TextWindow(Arrays.copyOf(all, keptUpToLine), keptLines, read, end);
            }
            long begun = keptLines + (all.length > keptUpToLine ? 1 : 0);
            return new TextWindow(all, begun, read, end);
        }
    }
}
