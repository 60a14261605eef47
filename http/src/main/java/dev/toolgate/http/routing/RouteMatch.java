package dev.toolgate.http.routing;

import dev.toolgate.http.error.Dialect;
import java.util.Map;

/** What looking for a route came to. */
public sealed interface RouteMatch {

    /** There is one, with these path parameters. */
    record Found(Route route, Map<String, String> parameters) implements RouteMatch {}

    /** The path is known, but not with this method; what the Allow header should say. */
    record OtherMethods(Dialect dialect, String pattern, String allow) implements RouteMatch {}

    /** No route has this path. */
    record Nowhere() implements RouteMatch {}
}
