package dev.toolgate.server.admin.identity;

import dev.toolgate.core.identity.Principal;
import dev.toolgate.http.routing.Exchange;
import dev.toolgate.server.admin.Administration;
import dev.toolgate.server.admin.Change;

/** The audit record of a log-in to the console, with a key or through a provider. */
final class LoginRecord {
    private LoginRecord() {}

    static Change of(Administration administration, Exchange exchange, Principal principal) {
        return administration.change(principal, exchange.correlationId(), "console_logins", "log_in");
    }
}
