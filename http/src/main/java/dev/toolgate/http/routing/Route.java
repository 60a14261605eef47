package dev.toolgate.http.routing;

import dev.toolgate.http.error.Dialect;
import java.util.Set;

/**
 * One thing the server can be asked.
 *
 * @param query the names of the query parameters it reads; any other is refused
 * @param slashesIn the parts of the path that are names which may have a slash in them, written {@code %2F}; anywhere
 *     else that could be read in two ways and is refused
 * @param largestBody the most bytes a request's body may have
 * @param recording how what it changes goes on record
 */
public record Route(
        Method method,
        PathPattern path,
        RouteAccess access,
        Dialect dialect,
        Handler handler,
        Set<String> query,
        Set<String> slashesIn,
        int largestBody,
        Recording recording) {
    /** What a body may have unless a route says otherwise. */
    public static final int DEFAULT_LARGEST_BODY = 1 << 20;

    private static final int MOST_ANY_ROUTE_MAY_TAKE = 16 << 20;

    public Route {
        query = Set.copyOf(query);
        slashesIn = Set.copyOf(slashesIn);
        if (largestBody < 0 || largestBody > MOST_ANY_ROUTE_MAY_TAKE) {
            throw new IllegalArgumentException(
                    "A route takes bodies of at most " + MOST_ANY_ROUTE_MAY_TAKE + " bytes.");
        }
    }

    /** A route that reads. */
    public static Route get(String path, RouteAccess access, Dialect dialect, Handler handler) {
        return of(Method.GET, path, access, dialect, handler);
    }

    /** A route that does or makes something. */
    public static Route post(String path, RouteAccess access, Dialect dialect, Handler handler) {
        return of(Method.POST, path, access, dialect, handler);
    }

    /** A route that sets something. */
    public static Route put(String path, RouteAccess access, Dialect dialect, Handler handler) {
        return of(Method.PUT, path, access, dialect, handler);
    }

    /** A route that changes a part of something. */
    public static Route patch(String path, RouteAccess access, Dialect dialect, Handler handler) {
        return of(Method.PATCH, path, access, dialect, handler);
    }

    /** A route that removes something. */
    public static Route delete(String path, RouteAccess access, Dialect dialect, Handler handler) {
        return of(Method.DELETE, path, access, dialect, handler);
    }

    private static Route of(Method method, String path, RouteAccess access, Dialect dialect, Handler handler) {
        return new Route(
                method,
                PathPattern.of(path),
                access,
                dialect,
                handler,
                Set.of(),
                Set.of(),
                DEFAULT_LARGEST_BODY,
                Recording.NOT_STATED);
    }

    /** The same route, reading these query parameters. */
    public Route withQuery(String... names) {
        return new Route(method, path, access, dialect, handler, Set.of(names), slashesIn, largestBody, recording);
    }

    /** The same route, where these parts of the path may have a slash in them. */
    public Route withSlashesIn(String... names) {
        return new Route(method, path, access, dialect, handler, query, Set.of(names), largestBody, recording);
    }

    /** The same route with another limit on bodies. */
    public Route withLargestBody(int bytes) {
        return new Route(method, path, access, dialect, handler, query, slashesIn, bytes, recording);
    }

    /** The same route, with what it changes on record in this way. */
    public Route recorded(Recording how) {
        return new Route(method, path, access, dialect, handler, query, slashesIn, largestBody, how);
    }
}
