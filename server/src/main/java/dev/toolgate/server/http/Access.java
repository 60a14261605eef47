package dev.toolgate.server.http;

import dev.toolgate.core.identity.Right;

/** Who may use a route. */
public sealed interface Access {

    /** Everybody, known or not. */
    record Open() implements Access {}

    /** Everybody who has shown who they are; the handler decides the rest. */
    record AnyPrincipal() implements Access {}

    /** Everybody who has shown who they are, and some who show nothing. */
    record PrincipalOrAnonymous(AnonymousAccess anonymous) implements Access {}

    /** Those whose role includes a right. */
    record Needs(Right right) implements Access {}

    /** Everybody, known or not. */
    static Access open() {
        return new Open();
    }

    /** Everybody who has shown who they are. */
    static Access anyPrincipal() {
        return new AnyPrincipal();
    }

    /** Everybody who has shown who they are, and some who show nothing. */
    static Access principalOr(AnonymousAccess anonymous) {
        return new PrincipalOrAnonymous(anonymous);
    }

    /** Those whose role includes this right. */
    static Access needs(Right right) {
        return new Needs(right);
    }
}
