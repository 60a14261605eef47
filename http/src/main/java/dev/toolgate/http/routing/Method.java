package dev.toolgate.http.routing;

import dev.toolgate.core.identity.Credentials;

/** The HTTP method of a route; {@code HEAD} and {@code OPTIONS} need no routes of their own. */
public enum Method {
    GET,
    POST,
    PUT,
    PATCH,
    DELETE;

    Credentials.Kind kind() {
        return this == GET ? Credentials.Kind.READS : Credentials.Kind.CHANGES;
    }
}
