package dev.toolgate.server.identity;

import dev.toolgate.core.identity.Identity;

/** The result of logging in to the console. */
public sealed interface LoginResult {

    /**
     * The log-in succeeded.
     *
     * @param setCookie the {@code Set-Cookie} header for the browser
     */
    record Done(ConsoleLogin session, String setCookie) implements LoginResult {

        /** Leaves out the cookie. */
        @Override
        public String toString() {
            return "Done with " + session;
        }
    }

    /** The log-in was refused; the reason is unknown or slowed down. */
    record Refused(Identity reason) implements LoginResult {}
}
