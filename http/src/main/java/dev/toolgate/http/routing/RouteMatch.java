package dev.toolgate.http.routing;

import dev.toolgate.http.error.Dialect;
import java.util.Map;

/** The result of matching a path. */
public sealed interface RouteMatch {

    /** A route matched, with these path parameters. */
    record Found(Route route, Map<String, String> parameters) implements RouteMatch {}

    /** The path exists, but not with this method. */
    record OtherMethods(Dialect dialect, String pattern, String allow) implements RouteMatch {}

    /** No route matches. */
    record NotFound() implements RouteMatch {}
}
