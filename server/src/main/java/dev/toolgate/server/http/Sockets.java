package dev.toolgate.server.http;

import dev.toolgate.core.call.ErrorCode;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.websocket.server.ServerWebSocketContainer;
import tools.jackson.databind.node.JsonNodeFactory;

/** The open sockets: no more than agreed, and all known when the server stops. */
final class Sockets {
    private static final int LARGEST_MESSAGE = 4 << 20;
    private static final Duration LONGEST_SILENCE = Duration.ofSeconds(60);
    private static final int UPGRADE_REQUIRED = 426;

    private final ServerWebSocketContainer container;
    private final int most;
    private final Set<JettySocket> open = ConcurrentHashMap.newKeySet();
    private volatile boolean stopping;

    Sockets(Server server, int most) {
        this.container = ServerWebSocketContainer.ensure(server);
        this.most = most;
        container.setMaxTextMessageSize(LARGEST_MESSAGE);
        container.setMaxFrameSize(LARGEST_MESSAGE);
        container.setIdleTimeout(LONGEST_SILENCE);
    }

    /** Turns a request into a socket; refused before anything is promised to the client. */
    void upgrade(InFlight flight, Response.Socket wanted) {
        if (!"websocket".equalsIgnoreCase(flight.request.getHeaders().get(HttpHeader.UPGRADE))) {
            throw new HttpFailure(
                    UPGRADE_REQUIRED,
                    ErrorCode.INVALID_REQUEST,
                    "Only a WebSocket can be opened at this path; send the headers of an upgrade.",
                    Map.of("Upgrade", "websocket", "Connection", "Upgrade"),
                    JsonNodeFactory.instance.objectNode());
        }
        SocketSlot slot = new SocketSlot(wanted);
        if (!container.upgrade((_, _, _) -> slot.socket, flight.request, flight.response, flight)) {
            slot.leave();
            throw new BadRequest("This is not a proper request for a WebSocket of version 13.");
        }
    }

    /** Takes no more, and asks all to end. */
    void beginStopping() {
        stopping = true;
        open.forEach(JettySocket::stop);
    }

    /** Waits until none is left, or for so long. */
    synchronized void awaitNone(Duration longest) throws InterruptedException {
        long end = System.nanoTime() + longest.toNanos();
        long left = longest.toMillis();
        while (!open.isEmpty() && left > 0) {
            wait(left);
            left = (end - System.nanoTime()) / 1_000_000;
        }
    }

    private void left(JettySocket socket) {
        open.remove(socket);
        if (stopping) {
            synchronized (this) {
                notifyAll();
            }
        }
    }

    private final class SocketSlot {
        private final JettySocket socket;

        SocketSlot(Response.Socket wanted) {
            socket = new JettySocket(wanted.accept(), this::leave);
            open.add(socket);
            if (stopping || open.size() > most) {
                leave();
                throw HttpFailure.unavailable(
                        stopping ? "The server is stopping." : "The server has as many sockets open as it can.");
            }
        }

        void leave() {
            left(socket);
        }
    }
}
