package dev.toolgate.http.routing;

import dev.toolgate.core.identity.Principal;
import java.util.Optional;

/** Maps an unauthenticated request to a principal, where that is allowed. */
@FunctionalInterface
public interface AnonymousAccess {

    /** The principal of an unauthenticated request; empty if credentials are required. */
    Optional<Principal> principal(UnauthenticatedRequest request);
}
