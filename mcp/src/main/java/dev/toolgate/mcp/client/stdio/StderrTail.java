package dev.toolgate.mcp.client.stdio;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Keeps the last bytes of a server's standard error. */
final class StderrTail implements Runnable {
    private final InputStream in;
    private final byte[] ring;
    private final CountDownLatch ended = new CountDownLatch(1);
    private long written;

    StderrTail(InputStream in, int maxBytes) {
        this.in = in;
        this.ring = new byte[maxBytes];
    }

    @Override
    public void run() {
        byte[] chunk = new byte[4 << 10];
        try {
            for (int read = in.read(chunk); read >= 0; read = in.read(chunk)) {
                add(chunk, read);
            }
        } catch (IOException closed) {
            // The program has ended or is being ended.
        } finally {
            ended.countDown();
        }
    }

    private synchronized void add(byte[] chunk, int count) {
        for (int i = 0; i < count; i++) {
            ring[(int) (written++ % ring.length)] = chunk[i];
        }
    }

    /** Waits until everything has been read or the timeout elapses: a child of the program may keep the pipe open. */
    void awaitEnd(Duration timeout) throws InterruptedException {
        ended.await(timeout.toNanos(), TimeUnit.NANOSECONDS);
    }

    /** The last text that was written. */
    synchronized String text() {
        int kept = (int) Math.min(written, ring.length);
        byte[] bytes = new byte[kept];
        for (int i = 0; i < kept; i++) {
            bytes[i] = ring[(int) ((written - kept + i) % ring.length)];
        }
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
