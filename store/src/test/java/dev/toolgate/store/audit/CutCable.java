package dev.toolgate.store.audit;

import dev.toolgate.store.connection.DatabaseUrl;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** A way to a database that can be cut: nothing arrives any more, and neither side is told. */
public final class CutCable implements AutoCloseable {
    private final ServerSocket entrance = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final Collection<Socket> sockets = new ConcurrentLinkedQueue<>();
    private final int target;
    private volatile AtomicBoolean cut = new AtomicBoolean();
    private final AtomicReference<@Nullable String> losing = new AtomicReference<>();
    private volatile boolean lost;

    public CutCable(DatabaseUrl database) throws IOException {
        target = Integer.parseInt(database.jdbcUrl().replaceFirst(".*:(\\d+)/.*", "$1"));
        Thread.ofVirtual().start(this::accept);
    }

    /** The same database, by this way. */
    public DatabaseUrl to(DatabaseUrl database) {
        String url = database.jdbcUrl().replaceFirst("//[^/]*/", "//127.0.0.1:" + entrance.getLocalPort() + "/");
        return new DatabaseUrl(url, database.user(), database.password());
    }

    public void cut() {
        cut.set(true);
    }

    /** New connections get through; those that were cut stay dead. */
    public void mend() {
        cut = new AtomicBoolean();
    }

    /** The next message with these words arrives, but its connection ends before the answer. */
    void loseAnswerTo(String words) {
        losing.set(words);
    }

    boolean hasLostAnAnswer() {
        return lost;
    }

    private void accept() {
        try {
            while (true) {
                Socket near = entrance.accept();
                Socket far = new Socket(InetAddress.getLoopbackAddress(), target);
                sockets.add(near);
                sockets.add(far);
                AtomicBoolean mine = cut;
                AtomicBoolean unanswered = new AtomicBoolean();
                Thread.ofVirtual()
                        .start(() -> pump(near, far, mine, sent -> {
                            String words = losing.get();
                            if (words != null && sent.contains(words) && losing.compareAndSet(words, null)) {
                                unanswered.set(true);
                            }
                            return true;
                        }));
                Thread.ofVirtual()
                        .start(() -> pump(far, near, mine, _ -> {
                            lost |= unanswered.get();
                            return !unanswered.get();
                        }));
            }
        } catch (IOException closed) {
            // The test is over.
        }
    }

    private static void pump(Socket from, Socket to, AtomicBoolean dead, Predicate<String> goesOn) {
        byte[] buffer = new byte[8192];
        try (from;
                to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int read = in.read(buffer); read >= 0 || dead.get(); read = in.read(buffer)) {
                if (dead.get()) {
                    Thread.currentThread().join(); // forever, without a word to either side
                }
                if (!goesOn.test(new String(buffer, 0, read, StandardCharsets.ISO_8859_1))) {
                    return;
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
