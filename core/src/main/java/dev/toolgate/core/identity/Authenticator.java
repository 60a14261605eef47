package dev.toolgate.core.identity;

/** Finds out who sent a request. */
@FunctionalInterface
public interface Authenticator {

    /**
     * Looks at credentials.
     *
     * @throws dev.toolgate.core.call.Unavailable if that cannot be done now
     */
    Identity identify(Credentials credentials);
}
