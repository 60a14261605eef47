package dev.toolgate.server.identity;

import dev.toolgate.core.identity.Identity;

/** What came of logging in to the console. */
public sealed interface LogIn {

    /**
     * Somebody is logged in.
     *
     * @param setCookie the header of that name, for their browser
     */
    record Done(OpenSession session, String setCookie) implements LogIn {

        /** Says nothing of the cookie. */
        @Override
        public String toString() {
            return "Done with " + session;
        }
    }

    /** Nobody is; either unknown or slowed down. */
    record Refused(Identity reason) implements LogIn {}
}
