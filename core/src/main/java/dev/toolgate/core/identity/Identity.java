package dev.toolgate.core.identity;

import java.time.Duration;

/** The result of authentication. */
public sealed interface Identity {

    /** Authenticated. */
    record Known(Principal principal) implements Identity {}

    /** Not authenticated; the reason helps an honest caller without helping an attacker. */
    record Unknown(String reason) implements Identity {}

    /** Too many failed attempts from this address; the credentials were not checked. */
    record SlowedDown(Duration retryAfter) implements Identity {}
}
