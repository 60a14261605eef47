package dev.toolgate.server.trial;

import static org.awaitility.Awaitility.await;

import dev.toolgate.store.connection.DatabaseUrl;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;

/** A TCP proxy to a database that can refuse connections, or swallow all data without closing them. */
final class DatabaseProxy implements AutoCloseable {
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    private final int target;
    private final int port;
    private volatile ServerSocket entrance;
    private volatile boolean frozen;

    DatabaseProxy(DatabaseUrl database) throws IOException {
        target = Integer.parseInt(database.jdbcUrl().replaceFirst(".*:(\\d+)/.*", "$1"));
        port = freePort();
        entrance = listen(port);
    }

    /** The database URL through this proxy. */
    DatabaseUrl to(DatabaseUrl database) {
        String url = database.jdbcUrl().replaceFirst("//[^/]*/", "//127.0.0.1:" + port + "/");
        return new DatabaseUrl(url, database.user(), database.password());
    }

    /** Ends all connections and refuses new ones. */
    void pull() throws IOException {
        entrance.close();
        for (Socket socket : sockets) {
            socket.close();
        }
        sockets.clear();
    }

    /** Swallows all data from now on, of old and new connections. */
    void freeze() {
        frozen = true;
    }

    /** Lets new connections through; swallowed ones stay dead. */
    void mend() throws IOException {
        pull();
        frozen = false;
        // The closed port may stay in use for a moment.
        await().ignoreExceptionsInstanceOf(BindException.class).until(() -> {
            entrance = listen(port);
            return true;
        });
    }

    // Not an ephemeral port: while no process listens, a client could connect to itself.
    private static int freePort() throws IOException {
        for (int port = 20_000 + ThreadLocalRandom.current().nextInt(10_000); port < 32_000; port++) {
            try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
                return socket.getLocalPort();
            } catch (BindException taken) {
                // Try the next port.
            }
        }
        throw new IOException("There is no free port.");
    }

    private ServerSocket listen(int at) throws IOException {
        ServerSocket socket = new ServerSocket();
        socket.setReuseAddress(true);
        socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), at), 200);
        Thread.ofVirtual().start(() -> accept(socket));
        return socket;
    }

    private void accept(ServerSocket socket) {
        try {
            while (true) {
                Socket near = socket.accept();
                Socket far = new Socket(InetAddress.getLoopbackAddress(), target);
                sockets.add(near);
                sockets.add(far);
                Thread.ofVirtual().start(() -> pump(near, far));
                Thread.ofVirtual().start(() -> pump(far, near));
            }
        } catch (IOException pulled) {
            // Until it is restored or closed.
        }
    }

    private void pump(Socket from, Socket to) {
        byte[] buffer = new byte[8192];
        try {
            for (int read = from.getInputStream().read(buffer);
                    read >= 0;
                    read = from.getInputStream().read(buffer)) {
                if (!frozen) {
                    to.getOutputStream().write(buffer, 0, read);
                }
            }
            if (!frozen) {
                to.close();
            }
        } catch (IOException closed) {
            // Close the other side as well.
        }
    }

    @Override
    public void close() throws IOException {
        pull();
    }
}
