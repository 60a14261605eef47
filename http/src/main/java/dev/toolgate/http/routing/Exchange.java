package dev.toolgate.http.routing;

import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.identity.Identity;
import dev.toolgate.core.identity.Principal;
import dev.toolgate.http.error.BadRequest;
import dev.toolgate.http.error.HttpFailure;
import dev.toolgate.http.events.FollowedFeed;
import dev.toolgate.http.events.LiveFeed;
import dev.toolgate.http.json.JsonBody;
import dev.toolgate.http.json.JsonRecord;
import dev.toolgate.http.request.CorrelationId;
import dev.toolgate.http.request.Query;
import dev.toolgate.http.request.RequestSource;
import dev.toolgate.http.socket.SocketProtocols;
import java.io.InputStream;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.eclipse.jetty.http.HttpMethod;
import org.eclipse.jetty.server.Request;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** One request, as its handler sees it. */
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

    /** The route that was found. */
    public Route route() {
        return route;
    }

    /** A named part of the path. */
    public String path(String name) {
        String value = parameters.get(name);
        if (value == null) {
            throw new IllegalStateException("The path " + route.path() + " has no part named " + name + ".");
        }
        return value;
    }

    /** What stands in the path for its parameters. */
    public Map<String, String> pathParameters() {
        return parameters;
    }

    /** The query parameters. */
    public Query query() {
        return query;
    }

    /** A header; the first, if it was sent more than once. */
    public Optional<String> header(String name) {
        return Optional.ofNullable(request.getHeaders().get(name));
    }

    /** Who sent the request; only on routes that are not open to everybody. */
    public Principal principal() {
        if (principal == null) {
            throw new IllegalStateException("The route " + route.path() + " asks nobody who they are.");
        }
        return principal;
    }

    /** Asks again later who sent the request, for what outlives it: a key may have been taken back meanwhile. */
    public Supplier<Identity> identifyAgain() {
        return guard.remember(request, route);
    }

    /**
     * Server-sent events of a feed, for as long as whoever sent the request may use its route.
     *
     * @param feed opens it, once the stream has its place
     */
    public <E> Response follow(Supplier<? extends LiveFeed<E>> feed) {
        TenantId tenant = principal().tenant();
        Supplier<Optional<Principal>> admitted = guard.stillAdmitted(request, route);
        Supplier<Optional<Principal>> reader =
                () -> admitted.get().filter(now -> now.tenant().equals(tenant));
        return Response.events(tenant, () -> new FollowedFeed<>(feed.get(), reader));
    }

    /** The id under which the request is found again in logs and answers. */
    public String correlationId() {
        return flight.correlationId();
    }

    /**
     * Goes on under an id that the body brought; answers and log lines carry it from here on.
     *
     * @throws BadRequest if it is not fit to be logged
     */
    public void correlate(String id) {
        if (!CorrelationId.isFit(id)) {
            throw new BadRequest("A correlation id must be 1 to 100 printable ASCII characters.");
        }
        flight.correlate(id);
    }

    /** Whether who sent it is shown by a key among the subprotocols of a socket, as pages in browsers do. */
    public boolean hasKeyInProtocols() {
        return header("Authorization").isEmpty()
                && SocketProtocols.key(request.getHeaders()).isPresent();
    }

    /** Who sent it, behind trusted proxies. */
    public RequestSource source() {
        return guard.source(request);
    }

    /** What the browser holds of a console session; empty if there is none or more than one. */
    public Optional<String> sessionCookie() {
        return Optional.ofNullable(Guard.cookie(request.getHeaders()));
    }

    /**
     * The body, which must be one JSON object.
     *
     * @throws HttpFailure if it is not, or too large, or too slow
     */
    public ObjectNode json() {
        JsonBody.requireJson(request.getHeaders());
        return JsonBody.parse(flight.body.read(route.largestBody()));
    }

    /**
     * The body as a record.
     *
     * @throws HttpFailure if it does not fit; names the field
     */
    public <T extends Record> T json(JsonRecord<T> type) {
        return type.read(json());
    }

    /**
     * The body as it arrives, of whatever type and size; reading it throws {@link HttpFailure} when it is too slow or
     * broken. The route's limit on bodies does not count here, so whoever reads it has one.
     */
    public InputStream bytes() {
        return flight.body.stream();
    }

    /** How many bytes the body was said to have; negative if that was not said. */
    public long announcedBytes() {
        return flight.body.announced();
    }

    /** Whether the answer is wanted without its body. */
    public boolean isHead() {
        return HttpMethod.HEAD.is(request.getMethod());
    }

    /** Whether there is a body at all. */
    public boolean hasBody() {
        return flight.body.isPresent();
    }
}
