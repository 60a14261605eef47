package dev.toolgate.http.routing;

import dev.toolgate.core.identity.Right;

/** Who may use a route. */
public sealed interface RouteAccess {

    /** Everybody, known or not. */
    record Open() implements RouteAccess {}

    /** Everybody who has shown who they are; the handler decides the rest. */
    record AnyPrincipal() implements RouteAccess {}

    /** Everybody who has shown who they are, and some who show nothing. */
    record PrincipalOrAnonymous(AnonymousAccess anonymous) implements RouteAccess {}

    /** Those whose role includes a right. */
    record Needs(Right right) implements RouteAccess {}

    /** Everybody, known or not. */
    static RouteAccess open() {
        return new Open();
    }

    /** Everybody who has shown who they are. */
    static RouteAccess anyPrincipal() {
        return new AnyPrincipal();
    }

    /** Everybody who has shown who they are, and some who show nothing. */
    static RouteAccess principalOr(AnonymousAccess anonymous) {
        return new PrincipalOrAnonymous(anonymous);
    }

    /** Those whose role includes this right. */
    static RouteAccess needs(Right right) {
        return new Needs(right);
    }
}
