package dev.toolgate.server.admin.identity;

import dev.toolgate.core.identity.Identity;
import dev.toolgate.core.identity.Principal;
import dev.toolgate.http.error.Dialect;
import dev.toolgate.http.error.HttpFailure;
import dev.toolgate.http.json.JsonRecord;
import dev.toolgate.http.routing.Exchange;
import dev.toolgate.http.routing.Recording;
import dev.toolgate.http.routing.Response;
import dev.toolgate.http.routing.Route;
import dev.toolgate.http.routing.RouteAccess;
import dev.toolgate.server.admin.Administration;
import dev.toolgate.server.admin.Change;
import dev.toolgate.server.identity.ConsoleCookie.Channel;
import dev.toolgate.server.identity.ConsoleLogins;
import dev.toolgate.server.identity.LoginResult;
import dev.toolgate.server.identity.SingleSignOn;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Routes to log in to the console and out of it, and to ask who is logged in. */
public final class ConsoleLoginRoutes {
    private static final String SESSION = "/api/v1/console/session";

    private final JsonRecord<LoginRequest> loginRequest = JsonRecord.of(LoginRequest.class);
    private final ConsoleLogins logins;
    private final @Nullable SingleSignOn signOn;
    private final Administration administration;

    /**
     * @param signOn null if no provider is configured
     */
    public ConsoleLoginRoutes(ConsoleLogins logins, @Nullable SingleSignOn signOn, Administration administration) {
        this.logins = logins;
        this.signOn = signOn;
        this.administration = administration;
    }

    /** The routes. Logging out needs no authentication, so that it also works after the log-in has expired. */
    public List<Route> all() {
        return List.of(
                Route.post(SESSION, RouteAccess.open(), Dialect.STANDARD, this::logIn)
                        .recorded(Recording.BY_ITSELF),
                Route.get(SESSION, RouteAccess.anyPrincipal(), Dialect.STANDARD, this::current),
                Route.delete(SESSION, RouteAccess.open(), Dialect.STANDARD, this::logOut)
                        .recorded(Recording.NOTHING_TO_RECORD),
                Route.get("/api/v1/whoami", RouteAccess.anyPrincipal(), Dialect.STANDARD, this::whoAmI));
    }

    private Response logIn(Exchange exchange) {
        String key = exchange.json(loginRequest).key();
        String former = exchange.sessionCookie().orElse(null);
        return switch (logins.logIn(
                key, former, channel(exchange), exchange.source().address())) {
            case LoginResult.Done done -> recorded(exchange, done);
            case LoginResult.Refused refused -> throw refusal(refused.reason());
        };
    }

    /** A browser gets its cookie only once the log-in is recorded. */
    private Response recorded(Exchange exchange, LoginResult.Done done) {
        Principal principal = done.session().principal();
        Change change = LoginRecord.of(administration, exchange, principal);
        return change.recorded(() -> {
            change.changedTo(WhoAmI.of(principal));
            return new Response.Json(200, WhoAmI.of(done.session()), Map.of("Set-Cookie", done.setCookie()));
        });
    }

    private static HttpFailure refusal(Identity reason) {
        return switch (reason) {
            case Identity.Unknown unknown -> HttpFailure.unauthorized(unknown.reason());
            case Identity.SlowedDown slowed -> HttpFailure.slowedDown(slowed.retryAfter());
            case Identity.Known known -> throw new IllegalStateException("A known identity cannot be a refusal.");
        };
    }

    /** The CSRF token is returned only to a request that was authenticated by the cookie itself. */
    private Response current(Exchange exchange) {
        if (exchange.header("Authorization").isPresent()) {
            return whoAmI(exchange);
        }
        return exchange.sessionCookie()
                .flatMap(session -> logins.current(session, exchange.source().address()))
                .map(session -> Response.json(WhoAmI.of(session)))
                .orElseGet(() -> whoAmI(exchange));
    }

    private Response logOut(Exchange exchange) {
        Optional<String> session = exchange.sessionCookie();
        Optional<URI> atProvider = signOn == null ? Optional.empty() : session.flatMap(signOn::signOutPage);
        Map<String, String> forgetting = Map.of("Set-Cookie", logins.logOut(session.orElse(null), channel(exchange)));
        return atProvider
                .<Response>map(page -> new Response.Json(200, new SignedOut(page), forgetting))
                .orElseGet(() -> new Response.Empty(204, forgetting));
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

    /**
     * @param signOutUrl the page of the provider where the person signs out there too
     */
    private record SignedOut(URI signOutUrl) {}

    private record LoginRequest(String key) {

        /** Leaves out the key. */
        @Override
        public String toString() {
            return "WithKey";
        }
    }
}
