package dev.toolgate.http.server;

import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.call.TenantId;
import dev.toolgate.http.error.BadRequest;
import dev.toolgate.http.error.HttpFailure;
import dev.toolgate.http.routing.InFlight;
import dev.toolgate.http.routing.Response;
import dev.toolgate.http.routing.SharedPlaces;
import dev.toolgate.http.socket.JettySocket;
import dev.toolgate.http.socket.SocketProtocols;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.eclipse.jetty.http.HttpException;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.websocket.core.exception.WebSocketException;
import org.eclipse.jetty.websocket.server.ServerWebSocketContainer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.JsonNodeFactory;

/** The open sockets: no more than agreed, and all known when the server stops. */
final class Sockets {
    private static final Logger LOG = LoggerFactory.getLogger(Sockets.class);
    private static final int LARGEST_MESSAGE = 4 << 20;
    private static final Duration LONGEST_SILENCE = Duration.ofSeconds(60);
    private static final int UPGRADE_REQUIRED = 426;

    private final ServerWebSocketContainer container;
    private final SharedPlaces places;
    private final Set<JettySocket> open = ConcurrentHashMap.newKeySet();
    private volatile boolean stopping;

    Sockets(Server server, int most) {
        this.container = ServerWebSocketContainer.ensure(server);
        this.places = new SharedPlaces(most);
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
        boolean upgraded = false;
        try {
            upgraded = container.upgrade(
                    (asked, answer, _) -> {
                        if (asked.hasSubProtocol(SocketProtocols.NAME)) {
                            answer.setAcceptedSubProtocol(SocketProtocols.NAME);
                        }
                        return slot.socket;
                    },
                    flight.request,
                    flight.response,
                    slot.unlessItFails(flight));
        } catch (HttpException.RuntimeException | WebSocketException improper) {
            LOG.debug("A request for a WebSocket is not proper", improper);
        } finally {
            if (!upgraded) {
                slot.leave();
            }
        }
        if (!upgraded) {
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

    private void enter(TenantId tenant) {
        switch (places.enter(tenant)) {
            case ADMITTED -> {}
            case FULL -> throw HttpFailure.unavailable("The server has as many sockets open as it can.");
            case SHARE_USED_UP ->
                throw HttpFailure.unavailable("The tenant has as many sockets open as one may have, which is "
                        + places.mostOfOne() + "; close one first.");
        }
    }

    /** The place of one socket, from before its upgrade until it is left, which counts once. */
    private final class SocketSlot {
        private final TenantId tenant;
        private final JettySocket socket;

        SocketSlot(Response.Socket wanted) {
            tenant = wanted.tenant();
            socket = new JettySocket(wanted.accept(), this::leave);
            enter(tenant);
            open.add(socket);
            if (stopping) {
                leave();
                throw HttpFailure.unavailable("The server is stopping.");
            }
        }

        /** Hears how the upgrade was answered; if it could not be, there is no socket that could leave later. */
        Callback unlessItFails(InFlight flight) {
            return Callback.from(flight::succeeded, failure -> {
                leave();
                flight.failed(failure);
            });
        }

        void leave() {
            if (!open.remove(socket)) {
                return;
            }
            places.leave(tenant);
            if (stopping) {
                synchronized (Sockets.this) {
                    Sockets.this.notifyAll();
                }
            }
        }
    }
}
