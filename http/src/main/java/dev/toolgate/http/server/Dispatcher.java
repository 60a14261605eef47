package dev.toolgate.http.server;

import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.identity.Principal;
import dev.toolgate.http.HttpSettings;
import dev.toolgate.http.error.HttpFailure;
import dev.toolgate.http.request.Pace;
import dev.toolgate.http.request.Query;
import dev.toolgate.http.routing.Exchange;
import dev.toolgate.http.routing.Guard;
import dev.toolgate.http.routing.InFlight;
import dev.toolgate.http.routing.PathSegments;
import dev.toolgate.http.routing.RequestObserver;
import dev.toolgate.http.routing.Response;
import dev.toolgate.http.routing.Route;
import dev.toolgate.http.routing.RouteMatch;
import dev.toolgate.http.routing.Routes;
import dev.toolgate.http.routing.RunningRequests;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.eclipse.jetty.http.HttpMethod;
import org.eclipse.jetty.http.HttpURI;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.util.Callback;
import org.slf4j.MDC;
import tools.jackson.databind.node.JsonNodeFactory;

/** The path of a request: admit, match the route, authenticate, handle, write the response. */
final class Dispatcher extends org.eclipse.jetty.server.Handler.Abstract {
    private static final int MAX_HEADERS = 100;
    private static final int MAX_ADDRESS_LENGTH = 8 << 10;

    private final Routes routes;
    private final Guard guard;
    private final RunningRequests running;
    private final Answers answers;
    private final RequestObserver observer;
    private final Pace pace;
    private final Cors cors;

    Dispatcher(
            Routes routes,
            Guard guard,
            RunningRequests running,
            Sockets sockets,
            RequestObserver observer,
            HttpSettings settings,
            Cors cors) {
        this.routes = routes;
        this.guard = guard;
        this.running = running;
        this.answers = new Answers(running, sockets, settings.heartbeat());
        this.observer = observer;
        this.pace = new Pace(settings.requestTimeout(), settings.minBodyRate());
        this.cors = cors;
    }

    @Override
    public boolean handle(Request request, org.eclipse.jetty.server.Response response, Callback callback) {
        InFlight flight = new InFlight(request, response, callback, running, observer, pace);
        MDC.put(InFlight.MDC_KEY, flight.correlationId());
        try {
            request.addIdleTimeoutListener(_ -> false); // a handler may take longer than the idle time-out
            serve(flight);
        } finally {
            MDC.remove(InFlight.MDC_KEY);
        }
        return true;
    }

    private void serve(InFlight flight) {
        try {
            flight.handlingBegins();
            answers.write(flight, answer(flight));
        } catch (Throwable thrown) {
            flight.handlingEnds();
            fail(flight, thrown);
        } finally {
            flight.handlingEnds();
        }
    }

    private Response answer(InFlight flight) throws Exception {
        running.enter(flight);
        HttpURI uri = flight.request.getHttpURI();
        requireSmall(flight.request, uri);
        List<String> segments = PathSegments.of(String.valueOf(uri.getPath()));
        RouteMatch match = routes.find(flight.request.getMethod(), segments);
        PathSegments.requireUnambiguous(segments, match);
        return switch (match) {
            case RouteMatch.Found found -> handled(flight, found, uri);
            case RouteMatch.OtherMethods others -> otherMethod(flight, others);
            case RouteMatch.NotFound _ -> throw HttpFailure.notFound("There is nothing at this path.");
        };
    }

    private Response handled(InFlight flight, RouteMatch.Found found, HttpURI uri) throws Exception {
        Route route = found.route();
        flight.routed(route.dialect(), route.path().text());
        flight.corsHeaders(cors.ofAnswer(route.path().text(), flight.request.getHeaders()));
        Principal principal = guard.admit(flight.request, route);
        Query query =
                switch (route.otherQuery()) {
                    case REFUSED -> Query.of(uri.getQuery(), route.query());
                    case IGNORED -> Query.ignoringOthers(uri.getQuery(), route.query());
                };
        return route.handler().handle(new Exchange(flight, found, query, principal, guard));
    }

    private Response otherMethod(InFlight flight, RouteMatch.OtherMethods others) {
        flight.routed(others.dialect(), others.pattern());
        Map<String, String> allow = Map.of("Allow", others.allow());
        if (HttpMethod.OPTIONS.is(flight.request.getMethod())) {
            Map<String, String> headers = new HashMap<>(allow);
            headers.putAll(cors.ofPreflight(others.pattern(), others.allow(), flight.request.getHeaders()));
            return new Response.Empty(204, headers);
        }
        flight.corsHeaders(cors.ofAnswer(others.pattern(), flight.request.getHeaders()));
        throw new HttpFailure(
                405,
                ErrorCode.INVALID_REQUEST,
                "This path takes " + others.allow() + ".",
                allow,
                JsonNodeFactory.instance.objectNode());
    }

    private static void requireSmall(Request request, HttpURI uri) {
        if (request.getHeaders().size() > MAX_HEADERS) {
            throw new HttpFailure(
                    431, ErrorCode.INVALID_REQUEST, "The request has more than " + MAX_HEADERS + " headers.");
        }
        if (String.valueOf(uri.getPathQuery()).length() > MAX_ADDRESS_LENGTH) {
            throw new HttpFailure(
                    414,
                    ErrorCode.INVALID_REQUEST,
                    "The address is longer than " + MAX_ADDRESS_LENGTH + " characters.");
        }
    }

    private void fail(InFlight flight, Throwable thrown) {
        HttpFailure failure = Failures.of(thrown, flight.correlationId());
        try {
            if (flight.response.isCommitted()) {
                flight.failed(thrown); // aborts the connection, so that the client notices
            } else {
                flight.response.reset();
                flight.putCommonHeaders();
                answers.write(flight, failure);
            }
        } catch (Exception again) {
            flight.failed(again);
        }
    }
}
