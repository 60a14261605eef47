package dev.toolgate.core.identity;

/** Authenticates requests. */
@FunctionalInterface
public interface Authenticator {

    /**
     * Authenticates by credentials.
     *
     * @throws dev.toolgate.core.call.Unavailable if a dependency cannot be reached now
     */
    Identity identify(Credentials credentials);
}
