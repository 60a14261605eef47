package dev.toolgate.runtime.sandbox.files;

import java.io.IOException;
import java.nio.channels.SeekableByteChannel;

/**
 * A regular file that has been opened for reading, wherever its name may point by now.
 *
 * @param size its size when it was opened; it may grow, so readers count what they read
 */
public record OpenFile(SeekableByteChannel channel, long size) implements AutoCloseable {
    @Override
    public void close() throws IOException {
        channel.close();
    }
}
