package dev.toolgate.http.routing;

import dev.toolgate.http.error.Dialect;
import java.util.Set;

/**
 * One route of the server.
 *
 * @param query the declared query parameters
 * @param otherQuery how other query parameters are treated
 * @param slashesIn path parameters that may contain a slash, written {@code %2F}; elsewhere it is ambiguous and refused
 * @param maxBodyBytes the limit for bodies read at once
 * @param recording how its changes are audited
 */
public record Route(
        Method method,
        PathPattern path,
        RouteAccess access,
        Dialect dialect,
        Handler handler,
        Set<String> query,
        OtherQuery otherQuery,
        Set<String> slashesIn,
        int maxBodyBytes,
        Recording recording) {
    /** How query parameters that a route does not declare are treated. */
    public enum OtherQuery {
        REFUSED,
        IGNORED
    }

    /** The default body limit. */
    public static final int DEFAULT_MAX_BODY_BYTES = 1 << 20;

    private static final int MAX_BODY_BYTES_OF_ANY_ROUTE = 16 << 20;

    public Route {
        query = Set.copyOf(query);
        slashesIn = Set.copyOf(slashesIn);
        if (maxBodyBytes < 0 || maxBodyBytes > MAX_BODY_BYTES_OF_ANY_ROUTE) {
            throw new IllegalArgumentException(
                    "A route takes bodies of at most " + MAX_BODY_BYTES_OF_ANY_ROUTE + " bytes.");
        }
    }

    /** A GET route. */
    public static Route get(String path, RouteAccess access, Dialect dialect, Handler handler) {
        return of(Method.GET, path, access, dialect, handler);
    }

    /** A POST route. */
    public static Route post(String path, RouteAccess access, Dialect dialect, Handler handler) {
        return of(Method.POST, path, access, dialect, handler);
    }

    /** A PUT route. */
    public static Route put(String path, RouteAccess access, Dialect dialect, Handler handler) {
        return of(Method.PUT, path, access, dialect, handler);
    }

    /** A PATCH route. */
    public static Route patch(String path, RouteAccess access, Dialect dialect, Handler handler) {
        return of(Method.PATCH, path, access, dialect, handler);
    }

    /** A DELETE route. */
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
                OtherQuery.REFUSED,
                Set.of(),
                DEFAULT_MAX_BODY_BYTES,
                Recording.NOT_STATED);
    }

    /** The same route with these query parameters. */
    public Route withQuery(String... names) {
        return new Route(
                method, path, access, dialect, handler, Set.of(names), otherQuery, slashesIn, maxBodyBytes, recording);
    }

    /**
     * The same route, which ignores undeclared query parameters: for a page whose script reads them, or a callback URL.
     */
    public Route withAnyQuery() {
        return new Route(
                method, path, access, dialect, handler, query, OtherQuery.IGNORED, slashesIn, maxBodyBytes, recording);
    }

    /** The same route, where these path parameters may contain a slash. */
    public Route withSlashesIn(String... names) {
        return new Route(
                method, path, access, dialect, handler, query, otherQuery, Set.of(names), maxBodyBytes, recording);
    }

    /** The same route with another body limit. */
    public Route withMaxBodyBytes(int bytes) {
        return new Route(method, path, access, dialect, handler, query, otherQuery, slashesIn, bytes, recording);
    }

    /** The same route, audited this way. */
    public Route recorded(Recording how) {
        return new Route(method, path, access, dialect, handler, query, otherQuery, slashesIn, maxBodyBytes, how);
    }
}
