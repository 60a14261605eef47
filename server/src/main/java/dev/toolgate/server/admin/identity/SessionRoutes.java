package dev.toolgate.server.admin.identity;

import dev.toolgate.core.identity.Identity;
import dev.toolgate.http.error.Dialect;
import dev.toolgate.http.error.HttpFailure;
import dev.toolgate.http.json.JsonRecord;
import dev.toolgate.http.routing.Exchange;
import dev.toolgate.http.routing.Recording;
import dev.toolgate.http.routing.Response;
import dev.toolgate.http.routing.Route;
import dev.toolgate.http.routing.RouteAccess;
import dev.toolgate.server.identity.ConsoleSessions;
import dev.toolgate.server.identity.LogIn;
import dev.toolgate.server.identity.SessionCookie.Channel;
import java.util.List;
import java.util.Map;

/** Logging in to the console and out of it, and who somebody is. */
public final class SessionRoutes {
    private static final String SESSION = "/api/v1/console/session";

    private final JsonRecord<WithKey> withKey = JsonRecord.of(WithKey.class);
    private final ConsoleSessions sessions;

    public SessionRoutes(ConsoleSessions sessions) {
        this.sessions = sessions;
    }

    /** The routes. Logging out is open, so that it works when the session has ended already. */
    public List<Route> all() {
        return List.of(
                Route.post(SESSION, RouteAccess.open(), Dialect.STANDARD, this::logIn)
                        .recorded(Recording.NOTHING_TO_RECORD),
                Route.get(SESSION, RouteAccess.anyPrincipal(), Dialect.STANDARD, this::current),
                Route.delete(SESSION, RouteAccess.open(), Dialect.STANDARD, this::logOut)
                        .recorded(Recording.NOTHING_TO_RECORD),
                Route.get("/api/v1/whoami", RouteAccess.anyPrincipal(), Dialect.STANDARD, this::whoAmI));
    }

    private Response logIn(Exchange exchange) {
        String key = exchange.json(withKey).key();
        String former = exchange.sessionCookie().orElse(null);
        return switch (sessions.logIn(
                key, former, channel(exchange), exchange.source().address())) {
            case LogIn.Done done ->
                new Response.Json(200, WhoAmI.of(done.session()), Map.of("Set-Cookie", done.setCookie()));
            case LogIn.Refused refused -> throw refusal(refused.reason());
        };
    }

    private static HttpFailure refusal(Identity reason) {
        return switch (reason) {
            case Identity.Unknown unknown -> HttpFailure.unauthorized(unknown.reason());
            case Identity.SlowedDown slowed -> HttpFailure.slowedDown(slowed.retryAfter());
            case Identity.Known known -> throw new IllegalStateException("Nobody is refused who is known.");
        };
    }

    /** The token for changes is told only to those who came with the session itself. */
    private Response current(Exchange exchange) {
        if (exchange.header("Authorization").isPresent()) {
            return whoAmI(exchange);
        }
        return exchange.sessionCookie()
                .flatMap(session -> sessions.current(session, exchange.source().address()))
                .map(session -> Response.json(WhoAmI.of(session)))
                .orElseGet(() -> whoAmI(exchange));
    }

    private Response logOut(Exchange exchange) {
        String forgetting = sessions.logOut(exchange.sessionCookie().orElse(null), channel(exchange));
        return new Response.Empty(204, Map.of("Set-Cookie", forgetting));
    }

    private Response whoAmI(Exchange exchange) {
        return Response.json(WhoAmI.of(exchange.principal()));
    }

    private static Channel channel(Exchange exchange) {
        return switch (exchange.source().channel()) {
            case PLAIN -> Channel.PLAIN;
            case TLS -> Channel.TLS;
        };
    }

    private record WithKey(String key) {

        /** Says nothing of the key. */
        @Override
        public String toString() {
            return "WithKey";
        }
    }
}
