package dev.toolgate.server.door.chat;

import dev.toolgate.core.identity.Identity;
import dev.toolgate.core.identity.Principal;
import dev.toolgate.http.error.Dialect;
import dev.toolgate.http.routing.Exchange;
import dev.toolgate.http.routing.Response;
import dev.toolgate.http.routing.Route;
import dev.toolgate.http.routing.RouteAccess;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

/** The WebSocket route for conversations. */
public final class ChatRoutes {
    private final ChatServices services;
    private final Origins origins;
    private final RunningConversations running = new RunningConversations(RunningConversations.MAX_RUNNING);

    /**
     * @param origins origins of pages that may open a socket, besides the server's own
     */
    public ChatRoutes(ChatServices services, Set<String> origins) {
        this.services = services;
        this.origins = new Origins(origins);
    }

    /** The route. */
    public List<Route> all() {
        return List.of(Route.get("/ws", RouteAccess.anyPrincipal(), Dialect.STANDARD, this::open));
    }

    /** The number of running conversations. */
    public int running() {
        return running.count();
    }

    private Response open(Exchange exchange) {
        origins.check(exchange);
        Principal principal = exchange.principal();
        Supplier<Identity> identity = exchange.identifyAgain();
        String correlationId = exchange.correlationId();
        return new Response.Socket(
                principal.tenant(),
                peer -> new ChatConnection(services, running, principal, identity, correlationId, peer));
    }
}
