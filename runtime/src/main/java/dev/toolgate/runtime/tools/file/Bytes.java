package dev.toolgate.runtime.tools.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ReadableByteChannel;
import java.util.Arrays;

/** Bytes read from a channel, never more than asked for, whatever size the file claims to have. */
final class Bytes {
    private static final int FIRST_ROOM = 8192;

    private Bytes() {}

    /** The next bytes up to the end of the channel, at most so many. */
    static byte[] read(ReadableByteChannel channel, int most) throws IOException, InterruptedException {
        byte[] room = new byte[Math.min(most, FIRST_ROOM)];
        int length = 0;
        while (length < most) {
            if (length == room.length) {
                room = Arrays.copyOf(room, (int) Math.min(most, room.length * 2L));
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
