package dev.toolgate.server.door.mcp;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.identity.Identity;
import dev.toolgate.core.identity.Principal;
import dev.toolgate.http.error.Dialect;
import dev.toolgate.http.routing.Exchange;
import dev.toolgate.http.routing.Recording;
import dev.toolgate.http.routing.Response;
import dev.toolgate.http.routing.Route;
import dev.toolgate.http.routing.RouteAccess;
import dev.toolgate.mcp.server.http.HttpInput;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** The door for MCP clients over HTTP. */
public final class McpRoutes {
    /** The path of the door. */
    public static final String PATH = "/mcp";

    private static final Dialect DIALECT = new Dialect("mcp", new McpErrorShape());

    private final McpDoor door;
    private final RouteAccess access;
    private final int maxBodyBytes;
    private final Map<String, List<String>> searchAgents;

    /**
     * @param access who may use the routes
     * @param maxBodyBytes the maximum size of a message
     * @param searchAgents by tenant, the agents that search tools instead of listing them
     */
    public McpRoutes(McpDoor door, RouteAccess access, int maxBodyBytes, Map<String, List<String>> searchAgents) {
        this.door = door;
        this.access = access;
        this.maxBodyBytes = maxBodyBytes;
        this.searchAgents = Map.copyOf(searchAgents);
    }

    /** The routes. */
    public List<Route> all() {
        return List.of(
                Route.post(PATH, access, DIALECT, this::handle)
                        .withQuery(ToolListMode.PARAMETER)
                        .withMaxBodyBytes(maxBodyBytes)
                        .recorded(Recording.BY_GATE),
                Route.get(PATH, access, DIALECT, this::handle).withQuery(ToolListMode.PARAMETER),
                Route.delete(PATH, access, DIALECT, this::handle)
                        .withQuery(ToolListMode.PARAMETER)
                        .recorded(Recording.NOTHING_TO_RECORD));
    }

    private Response handle(Exchange exchange) {
        McpCaller caller = caller(exchange);
        String method = exchange.isHead() ? "HEAD" : exchange.route().method().name();
        byte[] body = exchange.hasBody() ? exchange.body() : new byte[0];
        HttpInput input = new HttpInput(method, name -> exchange.header(name).orElse(null), body, caller, caller.key());
        BooleanSupplier isStillAdmitted = isStillAdmitted(exchange);
        return new Response.WholeOrStream(caller.tenant(), client -> {
            client.onStop(door::endListening);
            McpOutput output = new McpOutput(client, isStillAdmitted, McpOutput.Checks.DEFAULT);
            return McpOutput.response(door.http().handle(input, output));
        });
    }

    // The setting overrides the query parameter of the client.
    private McpCaller caller(Exchange exchange) {
        McpCaller caller = McpCaller.of(exchange);
        AgentId agent = caller.named();
        List<String> searching = searchAgents.getOrDefault(caller.tenant().value(), List.of());
        return agent != null && searching.contains(agent.value()) ? caller.searching() : caller;
    }

    // A client without credentials has none that could be revoked.
    private static BooleanSupplier isStillAdmitted(Exchange exchange) {
        Principal principal = exchange.principal();
        if (exchange.header("Authorization").isEmpty()
                && exchange.sessionCookie().isEmpty()) {
            return () -> true;
        }
        Supplier<Identity> again = exchange.identifyAgain();
        return () -> again.get() instanceof Identity.Known known
                && known.principal().tenant().equals(principal.tenant())
                && known.principal().name().equals(principal.name());
    }
}
