package dev.toolgate.http.routing;

import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Routes as a tree of path segments; a literal segment takes precedence over a parameter. */
final class RouteTree {
    private final Map<String, RouteTree> literals = new HashMap<>();
    private final Map<Method, Route> routes = new EnumMap<>(Method.class);
    private @Nullable RouteTree named;

    void add(Route route) {
        RouteTree node = this;
        for (PathPattern.Segment segment : route.path().segments()) {
            node = switch (segment) {
                case PathPattern.Segment.Literal literal ->
                    node.literals.computeIfAbsent(literal.text(), _ -> new RouteTree());
                case PathPattern.Segment.Parameter _ -> node.named();
            };
        }
        Route other = node.routes.putIfAbsent(route.method(), route);
        if (other != null) {
            throw new IllegalArgumentException(
                    "Two routes are the same: " + route.method() + " " + route.path() + " and " + other.path() + ".");
        }
    }

    private RouteTree named() {
        if (named == null) {
            named = new RouteTree();
        }
        return named;
    }

    /** The node at the end of a path, if a route ends there; fills {@code values} with the segments. */
    @Nullable
    RouteTree find(List<String> segments, int depth, String[] values) {
        if (depth == segments.size()) {
            return routes.isEmpty() ? null : this;
        }
        String segment = segments.get(depth);
        values[depth] = segment;
        RouteTree literal = literals.get(segment);
        RouteTree end = literal == null ? null : literal.find(segments, depth + 1, values);
        return end != null || named == null ? end : named.find(segments, depth + 1, values);
    }

    @Nullable
    Route route(String method) {
        return switch (method) {
            case "GET", "HEAD" -> routes.get(Method.GET);
            case "POST" -> routes.get(Method.POST);
            case "PUT" -> routes.get(Method.PUT);
            case "PATCH" -> routes.get(Method.PATCH);
            case "DELETE" -> routes.get(Method.DELETE);
            default -> null;
        };
    }

    Route any() {
        return routes.values().iterator().next();
    }

    String allow() {
        Stream<String> read = routes.containsKey(Method.GET) ? Stream.of("GET", "HEAD") : Stream.of();
        Stream<String> change =
                routes.keySet().stream().filter(method -> method != Method.GET).map(Method::name);
        return Stream.of(read, change, Stream.of("OPTIONS"))
                .flatMap(part -> part)
                .collect(Collectors.joining(", "));
    }
}
