package dev.toolgate.runtime.sandbox.command.degraded;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;

/** The pipes to a process: our ends as streams, and the child's ends as descriptors until it is started. */
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

    /** The child's standard input, output and error. */
    List<Integer> descriptors() {
        return List.of(
                pipes.get(0).readEnd(), pipes.get(1).writeEnd(), pipes.get(2).writeEnd());
    }

    /** Call after the process was started; otherwise a reader would never see the end of the output. */
    void closeChildEnds() {
        pipes.forEach(Pipe::close);
        pipes.clear();
    }

    @Override
    public void close() {
        closeChildEnds();
        for (Closeable stream : ours) {
            try {
                stream.close();
            } catch (IOException alreadyBroken) {
                // Unflushed input of an ended process is irrelevant.
            }
        }
    }

    private <T extends Closeable> T keep(T stream) {
        ours.add(stream);
        return stream;
    }
}
