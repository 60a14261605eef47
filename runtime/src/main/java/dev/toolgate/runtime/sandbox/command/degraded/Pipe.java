package dev.toolgate.runtime.sandbox.command.degraded;

import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/** The two descriptors of a pipe; the opener closes it. */
record Pipe(int readEnd, int writeEnd) {

    /** A stream on the read end, with its own descriptor, because Java has no public API to wrap one. */
    InputStream reader() throws IOException {
        return new FileInputStream("/proc/self/fd/" + readEnd);
    }

    /** A stream on the write end, with its own descriptor. */
    OutputStream writer() throws IOException {
        return new FileOutputStream("/proc/self/fd/" + writeEnd);
    }

    void close() {
        Libc.close(readEnd);
        Libc.close(writeEnd);
    }
}
