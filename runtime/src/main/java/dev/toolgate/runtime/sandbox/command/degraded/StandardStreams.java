package dev.toolgate.runtime.sandbox.command.degraded;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;

/** Pipes to a process: our ends as streams, and its ends as descriptors until it has been started. */
final class StandardStreams implements AutoCloseable {
    private final List<Pipe> pipes = new ArrayList<>();
    private final List<Closeable> ours = new ArrayList<>();
    private final OutputStream stdin;
    private final InputStream stdout;
    private final InputStream stderr;

    StandardStreams() throws IOException {
        try {
            for (int i = 0; i < 3; i++) {
                pipes.add(Libc.pipe());
            }
            stdin = keep(pipes.get(0).writer());
            stdout = keep(pipes.get(1).reader());
            stderr = keep(pipes.get(2).reader());
        } catch (IOException e) {
            close();
            throw e;
        }
    }

    OutputStream stdin() {
        return stdin;
    }

    InputStream stdout() {
        return stdout;
    }

    InputStream stderr() {
        return stderr;
    }

    /** What the process gets as standard input, output and error. */
    List<Integer> descriptors() {
        return List.of(
                pipes.get(0).readEnd(), pipes.get(1).writeEnd(), pipes.get(2).writeEnd());
    }

    /** To be called once the process has its ends; without it a reader would never see the end of the output. */
    void letGoOfDescriptors() {
        pipes.forEach(Pipe::close);
        pipes.clear();
    }

    @Override
    public void close() {
        letGoOfDescriptors();
        for (Closeable stream : ours) {
            try {
                stream.close();
            } catch (IOException alreadyBroken) {
                // What could not be flushed to an ended process is of no use to anybody.
            }
        }
    }

    private <T extends Closeable> T keep(T stream) {
        ours.add(stream);
        return stream;
    }
}
