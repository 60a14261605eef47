package dev.toolgate.http.socket;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.eclipse.jetty.websocket.api.Callback;
import org.eclipse.jetty.websocket.api.Session;
import org.eclipse.jetty.websocket.api.exceptions.WebSocketException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Connects a Jetty WebSocket with a route's handler; public because Jetty calls it by reflection. */
public final class JettySocket implements Session.Listener.AutoDemanding, SocketPeer {
    private static final Logger LOG = LoggerFactory.getLogger(JettySocket.class);
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(5);
    private static final int NOT_TEXT = 1003;

    private final Function<SocketPeer, SocketHandler> accept;
    private final Runnable onClosed;
    private final AtomicBoolean over = new AtomicBoolean();
    private volatile @Nullable Session session;
    private volatile @Nullable SocketHandler handler;
    private volatile boolean stopping;

    public JettySocket(Function<SocketPeer, SocketHandler> accept, Runnable onClosed) {
        this.accept = accept;
        this.onClosed = onClosed;
    }

    @Override
    public void onWebSocketOpen(Session opened) {
        session = opened;
        SocketHandler accepted = accept.apply(this);
        handler = accepted;
        if (stopping) {
            accepted.stopping();
        }
    }

    @Override
    public void onWebSocketText(String message) {
        SocketHandler listening = handler;
        if (listening != null) {
            listening.received(message);
        }
    }

    @Override
    public void onWebSocketBinary(ByteBuffer payload, Callback callback) {
        callback.succeed();
        close(new CloseReason(NOT_TEXT, "Only text messages are supported."));
    }

    @Override
    public void onWebSocketError(Throwable cause) {
        if (cause instanceof WebSocketException || cause instanceof IOException) {
            LOG.debug("A WebSocket client disconnected: {}", cause.getMessage());
        } else {
            LOG.error("A WebSocket handler failed unexpectedly", cause);
        }
    }

    @Override
    public void onWebSocketClose(int statusCode, String reason, Callback callback) {
        callback.succeed();
        end();
    }

    /** Notifies the handler that the server stops. */
    public void stop() {
        stopping = true;
        SocketHandler listening = handler;
        if (listening != null) {
            listening.stopping();
        }
    }

    @Override
    public void send(String message) throws IOException, InterruptedException {
        Session open = session;
        if (open == null) {
            throw new IOException("The socket is not open.");
        }
        CompletableFuture<Void> sent = new CompletableFuture<>();
        open.sendText(message, Callback.from(() -> sent.complete(null), sent::completeExceptionally));
        try {
            sent.get();
        } catch (ExecutionException failed) {
            throw new IOException("The client has disconnected.", failed.getCause());
        }
    }

    @Override
    public void ping() {
        Session open = session;
        if (open != null && open.isOpen()) {
            open.sendPing(ByteBuffer.allocate(0), Callback.NOOP);
        }
    }

    @Override
    public void close(CloseReason reason) {
        Session open = session;
        if (open == null) {
            return;
        }
        open.close(reason.code(), reason.text(), Callback.NOOP);
        var _ = Thread.ofVirtual().name("socket-cut-off").start(() -> cutOff(open));
    }

    // A client that does not read would never take the close frame and keep the connection.
    private void cutOff(Session open) {
        try {
            Thread.sleep(CLOSE_TIMEOUT);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        if (!over.get()) {
            open.disconnect();
            end();
        }
    }

    private void end() {
        if (over.compareAndSet(false, true)) {
            SocketHandler listening = handler;
            if (listening != null) {
                listening.closed();
            }
            onClosed.run();
        }
    }
}
