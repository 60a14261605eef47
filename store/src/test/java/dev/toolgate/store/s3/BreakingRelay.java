package dev.toolgate.store.s3;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** A TCP proxy that breaks all connections after a number of bytes. */
final class BreakingRelay implements AutoCloseable {
    private final ServerSocket listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private final AtomicLong left;
    private final int port;

    BreakingRelay(int port, long bytes) throws IOException {
        this.port = port;
        this.left = new AtomicLong(bytes);
        Thread.ofVirtual().start(this::accept);
    }

    URI endpoint() {
        return URI.create("http://127.0.0.1:" + listener.getLocalPort());
    }

    private void accept() {
        while (!listener.isClosed()) {
            try {
                Socket near = listener.accept();
                open.add(near);
                if (left.get() <= 0) {
                    near.close();
                    continue;
                }
                Socket far = new Socket(InetAddress.getLoopbackAddress(), port);
                open.add(far);
                Thread.ofVirtual().start(() -> pass(near, far, left));
                Thread.ofVirtual().start(() -> pass(far, near, new AtomicLong(Long.MAX_VALUE)));
            } catch (IOException closed) {
                // retried, unless the listener was closed
            }
        }
    }

    private static void pass(Socket from, Socket to, AtomicLong left) {
        byte[] buffer = new byte[16 << 10];
        try (from;
                to;
                InputStream in = from.getInputStream();
                OutputStream out = to.getOutputStream()) {
            for (int read = in.read(buffer); read >= 0 && left.addAndGet(-read) > 0; read = in.read(buffer)) {
                out.write(buffer, 0, read);
            }
        } catch (IOException broken) {
            // expected
        }
    }

    @Override
    public void close() throws IOException {
        listener.close();
        for (Socket socket : open) {
            socket.close();
        }
    }
}
