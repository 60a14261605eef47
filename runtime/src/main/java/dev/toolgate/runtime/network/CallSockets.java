package dev.toolgate.runtime.network;

import java.io.IOException;
import java.net.Proxy;
import java.net.Socket;
import java.net.SocketException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hc.client5.http.io.DetachedSocketFactory;
import org.jspecify.annotations.Nullable;

/**
 * Creates the sockets of one call. Closing it closes them all, from any thread, even while they block; afterwards it
 * creates no more.
 */
final class CallSockets implements DetachedSocketFactory, AutoCloseable {
    private final List<Socket> open = new ArrayList<>();
    private boolean closed;

    @Override
    public synchronized Socket create(@Nullable Proxy ignored) throws IOException {
        if (closed) {
            throw new SocketException("The call has ended");
        }
        // Without this, the system property for a SOCKS proxy would send the connection elsewhere.
        Socket socket = new Socket(Proxy.NO_PROXY);
        open.add(socket);
        return socket;
    }

    @Override
    public synchronized void close() {
        closed = true;
        for (Socket socket : open) {
            try {
                socket.close();
            } catch (IOException alreadyBroken) {
                // it is closed either way
            }
        }
        open.clear();
    }
}
