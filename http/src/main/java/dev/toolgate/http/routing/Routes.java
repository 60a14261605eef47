package dev.toolgate.http.routing;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** All routes of a server. */
public final class Routes {
    private final List<Route> all;
    private final RouteTree tree = new RouteTree();

    /**
     * @throws IllegalArgumentException if two routes are the same
     */
    public Routes(Collection<Route> routes) {
        all = List.copyOf(routes);
        all.forEach(tree::add);
    }

    /** The routes of several parts of the server. */
    @SafeVarargs
    public static Routes of(Collection<Route>... parts) {
        List<Route> all = new ArrayList<>();
        for (Collection<Route> part : parts) {
            all.addAll(part);
        }
        return new Routes(all);
    }

    /** Every route, in the order they were given. */
    public List<Route> all() {
        return all;
    }

    /**
     * Finds the route of a request.
     *
     * @param method as sent; {@code HEAD} matches {@code GET} routes
     * @param segments of the path, decoded
     */
    public RouteMatch find(String method, List<String> segments) {
        String[] values = new String[segments.size()];
        RouteTree end = tree.find(segments, 0, values);
        if (end == null) {
            return new RouteMatch.NotFound();
        }
        Route route = end.route(method);
        return route == null
                ? new RouteMatch.OtherMethods(
                        end.any().dialect(), end.any().path().text(), end.allow())
                : new RouteMatch.Found(route, named(route, values));
    }

    private static Map<String, String> named(Route route, String[] values) {
        Map<String, String> parameters = null;
        List<PathPattern.Segment> segments = route.path().segments();
        for (int i = 0; i < values.length; i++) {
            if (segments.get(i) instanceof PathPattern.Segment.Parameter parameter) {
                parameters = parameters == null ? new HashMap<>() : parameters;
                parameters.put(parameter.name(), values[i]);
            }
        }
        return parameters == null ? Map.of() : parameters;
    }
}
