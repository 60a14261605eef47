package dev.toolgate.core.identity;

import java.time.Duration;

/** What came of looking at somebody's credentials. */
public sealed interface Identity {

    /** They are who they say. */
    record Known(Principal principal) implements Identity {}

    /** They are not, or nobody can tell; why, in words that help an honest caller and no other. */
    record Unknown(String reason) implements Identity {}

    /** Too many wrong attempts from there; nothing was looked at. */
    record SlowedDown(Duration retryAfter) implements Identity {}
}
