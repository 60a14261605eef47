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

/** A TCP proxy to a database that can silently stop forwarding, or lose a response. */
public final class FaultyProxy implements AutoCloseable {
    private final ServerSocket listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final Collection<Socket> sockets = new ConcurrentLinkedQueue<>();
    private final int target;
    private volatile AtomicBoolean cut = new AtomicBoolean();
    private final AtomicReference<@Nullable String> losing = new AtomicReference<>();
    private volatile boolean lost;

    public FaultyProxy(DatabaseUrl database) throws IOException {
        target = Integer.parseInt(database.jdbcUrl().replaceFirst(".*:(\\d+)/.*", "$1"));
        Thread.ofVirtual().start(this::accept);
    }

    /** The same database through this proxy. */
    public DatabaseUrl to(DatabaseUrl database) {
        String url = database.jdbcUrl().replaceFirst("//[^/]*/", "//127.0.0.1:" + listener.getLocalPort() + "/");
        return new DatabaseUrl(url, database.user(), database.password());
    }

    public void cut() {
        cut.set(true);
    }

    /** Forwards new connections again; those that were cut stay dead. */
    public void mend() {
        cut = new AtomicBoolean();
    }

    /** Forwards the next message with this text, but closes its connection before the response. */
    void loseAnswerTo(String words) {
        losing.set(words);
    }

    boolean hasLostAnAnswer() {
        return lost;
    }

    private void accept() {
        try {
            while (true) {
                Socket near = listener.accept();
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
            // The test has ended.
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
                    Thread.currentThread().join(); // blocks forever, without closing either side
                }
                if (!goesOn.test(new String(buffer, 0, read, StandardCharsets.ISO_8859_1))) {
                    return;
                }
                out.write(buffer, 0, read);
                out.flush();
            }
        } catch (IOException closed) {
            // The other side is closed too.
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() throws IOException {
        listener.close();
        for (Socket socket : sockets) {
            socket.close();
        }
    }
}
