package dev.toolgate.store.audit;

import dev.toolgate.store.DatabaseUrl;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Collection;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;

/** A way to a database that can be cut: nothing arrives any more, and neither side is told. */
final class CutCable implements AutoCloseable {
    private final ServerSocket entrance = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final Collection<Socket> sockets = new ConcurrentLinkedQueue<>();
    private final int target;
    private volatile AtomicBoolean cut = new AtomicBoolean();

    CutCable(DatabaseUrl database) throws IOException {
        target = Integer.parseInt(database.jdbcUrl().replaceFirst(".*:(\\d+)/.*", "$1"));
        Thread.ofVirtual().start(this::accept);
    }

    /** The same database, by this way. */
    DatabaseUrl to(DatabaseUrl database) {
        String url = database.jdbcUrl().replaceFirst("//[^/]*/", "//127.0.0.1:" + entrance.getLocalPort() + "/");
        return new DatabaseUrl(url, database.user(), database.password());
    }

    void cut() {
        cut.set(true);
    }

    /** New connections get through; those that were cut stay dead. */
    void mend() {
        cut = new AtomicBoolean();
    }

    private void accept() {
        try {
            while (true) {
                Socket near = entrance.accept();
                Socket far = new Socket(InetAddress.getLoopbackAddress(), target);
                sockets.add(near);
                sockets.add(far);
                AtomicBoolean mine = cut;
                Thread.ofVirtual().start(() -> pump(near, far, mine));
                Thread.ofVirtual().start(() -> pump(far, near, mine));
            }
        } catch (IOException closed) {
            // The test is over.
        }
    }

    private static void pump(Socket from, Socket to, AtomicBoolean dead) {
        byte[] buffer = new byte[8192];
        try (from;
                to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int read = in.read(buffer); read >= 0 || dead.get(); read = in.read(buffer)) {
                if (dead.get()) {
                    Thread.currentThread().join(); // forever, without a word to either side
                }
                out.write(buffer, 0, read);
                out.flush();
            }
        } catch (IOException closed) {
            // The other side sees it too.
        } catch (InterruptedException hostWantsItsThread) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() throws IOException {
        entrance.close();
        for (Socket socket : sockets) {
            socket.close();
        }
    }
}
