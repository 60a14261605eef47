package dev.toolgate.http.routing;

import dev.toolgate.core.identity.Credentials;

/** What a route is asked to do; {@code HEAD} and {@code OPTIONS} are answered without routes of their own. */
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
