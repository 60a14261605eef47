package dev.toolgate.http.server;

import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.call.TenantId;
import dev.toolgate.http.error.BadRequest;
import dev.toolgate.http.error.HttpFailure;
import dev.toolgate.http.routing.InFlight;
import dev.toolgate.http.routing.Response;
import dev.toolgate.http.routing.TenantPermits;
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

/** Tracks and limits open WebSockets, so that all can be closed when the server stops. */
final class Sockets {
    private static final Logger LOG = LoggerFactory.getLogger(Sockets.class);
    private static final int MAX_MESSAGE_BYTES = 4 << 20;
    private static final Duration IDLE_TIMEOUT = Duration.ofSeconds(60);
    private static final int UPGRADE_REQUIRED = 426;

    private final ServerWebSocketContainer container;
    private final TenantPermits permits;
    private final Set<JettySocket> open = ConcurrentHashMap.newKeySet();
    private volatile boolean stopping;

    Sockets(Server server, int max) {
        this.container = ServerWebSocketContainer.ensure(server);
        this.permits = new TenantPermits(max);
        container.setMaxTextMessageSize(MAX_MESSAGE_BYTES);
        container.setMaxFrameSize(MAX_MESSAGE_BYTES);
        container.setIdleTimeout(IDLE_TIMEOUT);
    }

    /** Upgrades a request to a WebSocket; limits are checked before the upgrade is confirmed. */
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
            LOG.debug("Invalid WebSocket upgrade request", improper);
        } finally {
            if (!upgraded) {
                slot.leave();
            }
        }
        if (!upgraded) {
            throw new BadRequest("This is not a valid WebSocket upgrade request of version 13.");
        }
    }

    /** Refuses new sockets and asks all to close. */
    void beginStopping() {
        stopping = true;
        open.forEach(JettySocket::stop);
    }

    /** Waits until none is left, up to the time-out. */
    synchronized void awaitNone(Duration timeout) throws InterruptedException {
        long end = System.nanoTime() + timeout.toNanos();
        long left = timeout.toMillis();
        while (!open.isEmpty() && left > 0) {
            wait(left);
            left = (end - System.nanoTime()) / 1_000_000;
        }
    }

    private void enter(TenantId tenant) {
        switch (permits.acquire(tenant)) {
            case ADMITTED -> {}
            case FULL -> throw HttpFailure.unavailable("The server is at its limit of open sockets.");
            case SHARE_USED_UP ->
                throw HttpFailure.unavailable("The tenant is at its limit of open sockets, which is "
                        + permits.maxPerTenant() + "; close one first.");
        }
    }

    /** The permit of one socket, from before its upgrade; released once. */
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

        /** Releases the permit if the upgrade response fails, since no socket will close later. */
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
            permits.release(tenant);
            if (stopping) {
                synchronized (Sockets.this) {
                    Sockets.this.notifyAll();
                }
            }
        }
    }
}
