package dev.toolgate.server.door.frontend;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.SessionId;
import dev.toolgate.core.identity.Principal;
import dev.toolgate.http.error.BadRequest;
import dev.toolgate.http.error.Dialect;
import dev.toolgate.http.json.FieldNames;
import dev.toolgate.http.json.JsonRecord;
import dev.toolgate.http.routing.Exchange;
import dev.toolgate.http.routing.Recording;
import dev.toolgate.http.routing.Response;
import dev.toolgate.http.routing.Route;
import dev.toolgate.http.routing.RouteAccess;
import dev.toolgate.server.door.ActingAgent;
import dev.toolgate.server.door.HttpCalls;
import dev.toolgate.server.gate.CallRequest;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The routes for web front ends. */
public final class ToolBackendRoutes {
    /** The paths that front end pages use. */
    public static final Set<String> PATHS = Set.of("/health", "/tools", "/execute-tool");

    private static final Dialect DIALECT = new Dialect("toolbackend", new ToolBackendErrors());
    private static final String CORRELATION_HEADER = "X-Correlation-ID";
    private static final String CORRELATION_FIELD = "correlationId";
    private static final String SESSION = "sessionId";

    private final JsonRecord<ExecuteToolRequest> request =
            JsonRecord.of(ExecuteToolRequest.class, FieldNames.AS_WRITTEN, JsonRecord.UnknownFields.IGNORED);
    private final HttpCalls calls;
    private final ToolListing listing;
    private final RouteAccess access;
    private final int maxBodyBytes;

    /**
     * @param access who may use the routes
     * @param maxBodyBytes the maximum size of a request body
     */
    public ToolBackendRoutes(HttpCalls calls, ToolListing listing, RouteAccess access, int maxBodyBytes) {
        this.calls = calls;
        this.listing = listing;
        this.access = access;
        this.maxBodyBytes = maxBodyBytes;
    }

    /** The routes. */
    public List<Route> all() {
        return List.of(
                Route.get("/tools", access, DIALECT, this::list).withQuery(SESSION),
                Route.post("/execute-tool", access, DIALECT, this::execute)
                        .withMaxBodyBytes(maxBodyBytes)
                        .recorded(Recording.BY_GATE));
    }

    private Response list(Exchange exchange) {
        Principal principal = exchange.principal();
        @Nullable AgentId agent = ActingAgent.named(exchange).orElse(null);
        if (agent != null) {
            HttpCalls.requireActing(principal, agent);
        }
        return Response.json(exchange.query()
                .text(SESSION)
                .map(session -> listing.of(principal, agent, session(session)))
                .orElseGet(() -> listing.of(principal.tenant(), agent)));
    }

    private static SessionId session(String id) {
        try {
            return new SessionId(id);
        } catch (IllegalArgumentException wrong) {
            throw new BadRequest(
                    "The query parameter '" + SESSION + "' is not a valid session id: " + wrong.getMessage());
        }
    }

    private Response execute(Exchange exchange) {
        ObjectNode body = exchange.json();
        correlate(exchange, body.get(CORRELATION_FIELD));
        ExecuteToolRequest wanted = request.read(body);
        CallRequest call = CallRequest.of(wanted.tool(), wanted.args())
                .as(ActingAgent.required(exchange), CallRequest.Acting.CALLING);
        return ExecuteToolAnswer.of(calls.submit(exchange, call).answer(), exchange.correlationId());
    }

    /** Uses the correlation id of the body; the header, if present, must be the same. */
    private static void correlate(Exchange exchange, @Nullable JsonNode given) {
        if (given == null || !given.isString()) {
            return; // missing, or not a text, which is reported when the body is parsed
        }
        String id = given.stringValue();
        exchange.correlate(id);
        if (!exchange.header(CORRELATION_HEADER).orElse(id).equals(id)) {
            throw new BadRequest("The header " + CORRELATION_HEADER + " and the field '" + CORRELATION_FIELD
                    + "' differ; send one of them, or the same in both.");
        }
    }
}
