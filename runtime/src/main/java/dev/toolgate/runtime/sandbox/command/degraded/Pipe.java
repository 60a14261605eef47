package dev.toolgate.runtime.sandbox.command.degraded;

import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/** The two descriptors of a pipe, which whoever opened it closes. */
record Pipe(int readEnd, int writeEnd) {

    /** A stream of its own on the end to read from; Java has no public way to use a descriptor directly. */
    InputStream reader() throws IOException {
        return new FileInputStream("/proc/self/fd/" + readEnd);
    }

    /** A stream of its own on the end to write to. */
    OutputStream writer() throws IOException {
        return new FileOutputStream("/proc/self/fd/" + writeEnd);
    }

    void close() {
        Libc.close(readEnd);
        Libc.close(writeEnd);
    }
}
