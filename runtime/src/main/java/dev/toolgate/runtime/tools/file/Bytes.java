package dev.toolgate.runtime.tools.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ReadableByteChannel;
import java.util.Arrays;

/** Reads a bounded number of bytes from a channel, independent of the reported file size. */
final class Bytes {
    private static final int INITIAL_BYTES = 8192;

    private Bytes() {}

    /** Reads up to a maximum number of bytes. */
    static byte[] read(ReadableByteChannel channel, int maxBytes) throws IOException, InterruptedException {
        byte[] room = new byte[Math.min(maxBytes, INITIAL_BYTES)];
        int length = 0;
        while (length < maxBytes) {
            if (length == room.length) {
                room = Arrays.copyOf(room, (int) Math.min(maxBytes, room.length * 2L));
            }
            ByteBuffer rest = ByteBuffer.wrap(room, length, room.length - length);
            if (!fill(channel, rest)) {
                return Arrays.copyOf(room, rest.position());
            }
            length = rest.position();
        }
        return room;
    }

    /** Fills the buffer; false if the channel ended first. */
    static boolean fill(ReadableByteChannel channel, ByteBuffer buffer) throws IOException, InterruptedException {
        try {
            while (buffer.hasRemaining()) {
                if (channel.read(buffer) < 0) {
                    return false;
                }
            }
            return true;
        } catch (ClosedByInterruptException stopped) {
            Thread.interrupted();
            throw new InterruptedException();
        }
    }
}
