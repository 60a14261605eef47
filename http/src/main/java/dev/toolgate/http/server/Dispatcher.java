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

/** The path of a request: count it, find its route, see who sent it, let the handler answer, write the answer. */
final class Dispatcher extends org.eclipse.jetty.server.Handler.Abstract {
    private static final int MOST_HEADERS = 100;
    private static final int LONGEST_ADDRESS = 8 << 10;

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
        this.pace = new Pace(settings.patience(), settings.slowestBody());
        this.cors = cors;
    }

    @Override
    public boolean handle(Request request, org.eclipse.jetty.server.Response response, Callback callback) {
        InFlight flight = new InFlight(request, response, callback, running, observer, pace);
        MDC.put(InFlight.IN_LOGS, flight.correlationId());
        try {
            request.addIdleTimeoutListener(_ -> false); // a handler may think for longer than a connection may be quiet
            serve(flight);
        } finally {
            MDC.remove(InFlight.IN_LOGS);
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
        PathSegments.requireClear(segments, match);
        return switch (match) {
            case RouteMatch.Found found -> handled(flight, found, uri);
            case RouteMatch.OtherMethods others -> otherMethod(flight, others);
            case RouteMatch.Nowhere _ -> throw HttpFailure.notFound("Nothing is at this path.");
        };
    }

    private Response handled(InFlight flight, RouteMatch.Found found, HttpURI uri) throws Exception {
        Route route = found.route();
        flight.routed(route.dialect(), route.path().text());
        flight.sharedBy(cors.ofAnswer(route.path().text(), flight.request.getHeaders()));
        Principal principal = guard.admit(flight.request, route);
        Query query = Query.of(uri.getQuery(), route.query());
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
        flight.sharedBy(cors.ofAnswer(others.pattern(), flight.request.getHeaders()));
        throw new HttpFailure(
                405,
                ErrorCode.INVALID_REQUEST,
                "This path takes " + others.allow() + ".",
                allow,
                JsonNodeFactory.instance.objectNode());
    }

    private static void requireSmall(Request request, HttpURI uri) {
        if (request.getHeaders().size() > MOST_HEADERS) {
            throw new HttpFailure(
                    431, ErrorCode.INVALID_REQUEST, "The request has more than " + MOST_HEADERS + " headers.");
        }
        if (String.valueOf(uri.getPathQuery()).length() > LONGEST_ADDRESS) {
            throw new HttpFailure(
                    414, ErrorCode.INVALID_REQUEST, "The address is longer than " + LONGEST_ADDRESS + " characters.");
        }
    }

    private void fail(InFlight flight, Throwable thrown) {
        HttpFailure failure = Failures.of(thrown, flight.correlationId());
        try {
            if (flight.response.isCommitted()) {
                flight.failed(thrown); // the connection ends here, which is how the client can tell
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
