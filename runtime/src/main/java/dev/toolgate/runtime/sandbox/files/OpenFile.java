package dev.toolgate.runtime.sandbox.files;

import java.io.IOException;
import java.nio.channels.SeekableByteChannel;

/**
 * A regular file that is open for reading.
 *
 * @param size its size when it was opened; it may grow, so readers must enforce limits themselves
 * @param permissions its read, write and execute bits
 */
public record OpenFile(SeekableByteChannel channel, long size, int permissions) implements AutoCloseable {
    @Override
    public void close() throws IOException {
        channel.close();
    }
}
