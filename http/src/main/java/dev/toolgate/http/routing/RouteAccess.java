package dev.toolgate.http.routing;

import dev.toolgate.core.identity.Right;

/** Access control of a route. */
public sealed interface RouteAccess {

    /** Everyone, without authentication. */
    record Open() implements RouteAccess {}

    /** Any authenticated principal; the handler decides the rest. */
    record AnyPrincipal() implements RouteAccess {}

    /** Any authenticated principal, or an unauthenticated client where allowed. */
    record PrincipalOrAnonymous(AnonymousAccess anonymous) implements RouteAccess {}

    /** Principals whose role includes a right. */
    record Needs(Right right) implements RouteAccess {}

    /** Everyone, without authentication. */
    static RouteAccess open() {
        return new Open();
    }

    /** Any authenticated principal. */
    static RouteAccess anyPrincipal() {
        return new AnyPrincipal();
    }

    /** Any authenticated principal, or an unauthenticated client where allowed. */
    static RouteAccess principalOr(AnonymousAccess anonymous) {
        return new PrincipalOrAnonymous(anonymous);
    }

    /** Principals whose role includes this right. */
    static RouteAccess needs(Right right) {
        return new Needs(right);
    }
}
