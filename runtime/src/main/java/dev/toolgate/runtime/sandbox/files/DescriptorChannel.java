package dev.toolgate.runtime.sandbox.files;

import static dev.toolgate.runtime.platform.NativeFunction.INT;
import static dev.toolgate.runtime.platform.NativeFunction.LONG;
import static java.lang.foreign.ValueLayout.ADDRESS;

import dev.toolgate.runtime.platform.NativeFunction;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.NonWritableChannelException;
import java.nio.channels.SeekableByteChannel;

/** Reads a regular file through a native descriptor; Java creates channels from paths only. */
final class DescriptorChannel implements SeekableByteChannel {
    private static final MethodHandle PREAD = NativeFunction.link("pread64", LONG, INT, ADDRESS, LONG, LONG);
    private static final int MAX_READ_BYTES = 1 << 16;

    private final int descriptor;
    private final long size;
    private long position;
    private boolean open = true;

    DescriptorChannel(int descriptor, long size) {
        this.descriptor = descriptor;
        this.size = size;
    }

    @Override
    public synchronized int read(ByteBuffer target) throws IOException {
        requireOpen();
        if (Thread.currentThread().isInterrupted()) {
            close();
            throw new ClosedByInterruptException();
        }
        int wanted = Math.min(target.remaining(), MAX_READ_BYTES);
        if (wanted == 0) {
            return 0;
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment errno = NativeFunction.errnoSegment(arena);
            MemorySegment bytes = arena.allocate(wanted);
            int length = (int) pread(errno, bytes, wanted);
            if (length < 0) {
                throw new IOException("the operating system reports error number " + NativeFunction.errno(errno));
            }
            target.put(bytes.asSlice(0, length).asByteBuffer());
            position += length;
            return length == 0 ? -1 : length;
        }
    }

    private long pread(MemorySegment errno, MemorySegment bytes, long wanted) {
        try {
            return (long) PREAD.invokeExact(errno, descriptor, bytes, wanted, position);
        } catch (Throwable broken) {
            throw new IllegalStateException(broken);
        }
    }

    @Override
    public synchronized long position() throws IOException {
        requireOpen();
        return position;
    }

    @Override
    public synchronized SeekableByteChannel position(long newPosition) throws IOException {
        requireOpen();
        if (newPosition < 0) {
            throw new IllegalArgumentException("The position must not be negative.");
        }
        position = newPosition;
        return this;
    }

    /** The size when the file was opened. */
    @Override
    public long size() {
        return size;
    }

    @Override
    public int write(ByteBuffer source) {
        throw new NonWritableChannelException();
    }

    @Override
    public SeekableByteChannel truncate(long newSize) {
        throw new NonWritableChannelException();
    }

    @Override
    public synchronized boolean isOpen() {
        return open;
    }

    @Override
    public synchronized void close() {
        if (open) {
            open = false;
            LinuxFiles.close(descriptor);
        }
    }

    private void requireOpen() throws ClosedChannelException {
        if (!open) {
            throw new ClosedChannelException();
        }
    }
}
