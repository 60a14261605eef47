package dev.toolgate.http.routing;

import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.identity.Identity;
import dev.toolgate.core.identity.Principal;
import dev.toolgate.http.error.BadRequest;
import dev.toolgate.http.error.HttpFailure;
import dev.toolgate.http.events.AuthorizedFeed;
import dev.toolgate.http.events.LiveFeed;
import dev.toolgate.http.json.JsonBody;
import dev.toolgate.http.json.JsonRecord;
import dev.toolgate.http.request.CorrelationId;
import dev.toolgate.http.request.Query;
import dev.toolgate.http.request.RequestSource;
import dev.toolgate.http.socket.SocketProtocols;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.eclipse.jetty.http.HttpMethod;
import org.eclipse.jetty.server.Request;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** One request as seen by its handler. */
public final class Exchange {
    private final Request request;
    private final Route route;
    private final Map<String, String> parameters;
    private final Query query;
    private final @Nullable Principal principal;
    private final InFlight flight;
    private final Guard guard;

    public Exchange(InFlight flight, RouteMatch.Found match, Query query, @Nullable Principal principal, Guard guard) {
        this.request = flight.request;
        this.route = match.route();
        this.parameters = match.parameters();
        this.query = query;
        this.principal = principal;
        this.flight = flight;
        this.guard = guard;
    }

    /** The matched route. */
    public Route route() {
        return route;
    }

    /** A path parameter. */
    public String path(String name) {
        String value = parameters.get(name);
        if (value == null) {
            throw new IllegalStateException("The path " + route.path() + " has no part named " + name + ".");
        }
        return value;
    }

    /** All path parameters. */
    public Map<String, String> pathParameters() {
        return parameters;
    }

    /** The query parameters. */
    public Query query() {
        return query;
    }

    /** A header; the first if it occurs more than once. */
    public Optional<String> header(String name) {
        return Optional.ofNullable(request.getHeaders().get(name));
    }

    /** The authenticated principal; not available on open routes. */
    public Principal principal() {
        if (principal == null) {
            throw new IllegalStateException("The route " + route.path() + " does not authenticate its callers.");
        }
        return principal;
    }

    /** Authenticates the request again later, for work that outlives it: the key may have been revoked. */
    public Supplier<Identity> identifyAgain() {
        return guard.identifyAgain(request, route);
    }

    /**
     * Streams a feed as server-sent events while the client may use the route.
     *
     * @param feed opens the feed once the stream is admitted
     */
    public <E> Response follow(Supplier<? extends LiveFeed<E>> feed) {
        TenantId tenant = principal().tenant();
        Supplier<Optional<Principal>> admitted = guard.stillAdmitted(request, route);
        Supplier<Optional<Principal>> reader =
                () -> admitted.get().filter(now -> now.tenant().equals(tenant));
        return Response.events(tenant, () -> new AuthorizedFeed<>(feed.get(), reader));
    }

    /** The correlation id. */
    public String correlationId() {
        return flight.correlationId();
    }

    /**
     * Replaces the correlation id with one from the body, for responses and log lines from here on.
     *
     * @throws BadRequest if it is not safe to log
     */
    public void correlate(String id) {
        if (!CorrelationId.isFit(id)) {
            throw new BadRequest("A correlation id must be 1 to 100 printable ASCII characters.");
        }
        flight.correlate(id);
    }

    /** Whether the key was sent as a WebSocket subprotocol, as browsers do. */
    public boolean hasKeyInProtocols() {
        return header("Authorization").isEmpty()
                && SocketProtocols.key(request.getHeaders()).isPresent();
    }

    /** The client, behind trusted proxies. */
    public RequestSource source() {
        return guard.source(request);
    }

    /** The console's session cookie; empty if there is none or more than one. */
    public Optional<String> sessionCookie() {
        return Optional.ofNullable(Guard.cookie(request.getHeaders()));
    }

    /** A cookie; empty if there is none or more than one. */
    public Optional<String> cookie(String name) {
        return Optional.ofNullable(Guard.cookie(request.getHeaders(), name));
    }

    /**
     * The body as a JSON object.
     *
     * @throws HttpFailure if it is invalid, too large or too slow
     */
    public ObjectNode json() {
        JsonBody.requireJson(request.getHeaders());
        return JsonBody.parse(flight.body.read(route.maxBodyBytes()));
    }

    /**
     * The body as a record.
     *
     * @throws HttpFailure if it is invalid; names the field
     */
    public <T extends Record> T json(JsonRecord<T> type) {
        return type.read(json());
    }

    /**
     * The whole body, of any type.
     *
     * @throws HttpFailure if it exceeds the route's body limit or is too slow
     */
    public byte[] body() {
        ByteBuffer read = flight.body.read(route.maxBodyBytes());
        byte[] bytes = new byte[read.remaining()];
        read.get(bytes);
        return bytes;
    }

    /**
     * The body as a stream of any type and size; reading throws {@link HttpFailure} if it is too slow or malformed. The
     * route's body limit does not apply, so the reader must enforce one.
     */
    public InputStream bytes() {
        return flight.body.stream();
    }

    /** The announced body length; negative if unknown. */
    public long announcedBytes() {
        return flight.body.announced();
    }

    /** Whether this is a HEAD request. */
    public boolean isHead() {
        return HttpMethod.HEAD.is(request.getMethod());
    }

    /** Whether there is a body. */
    public boolean hasBody() {
        return flight.body.isPresent();
    }
}
