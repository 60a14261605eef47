package dev.toolgate.server.door.chat;

import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.http.error.HttpFailure;
import dev.toolgate.http.routing.Exchange;
import java.net.URI;
import java.util.Optional;
import java.util.Set;

/**
 * Checks the origin of a page that opens a WebSocket. Browsers let any page connect to any server and send its cookies,
 * so the server accepts its own pages, and pages of configured origins only without the cookie.
 */
final class Origins {
    private final Set<String> named;

    Origins(Set<String> named) {
        this.named = Set.copyOf(named);
    }

    /** Refuses pages of other origins; programs send no Origin header. */
    void check(Exchange exchange) {
        Optional<String> origin = exchange.header("Origin");
        boolean own = origin.isPresent() && isOwn(origin.get(), exchange.header("Host"));
        boolean byProtocol = exchange.hasKeyInProtocols();
        if (byProtocol && origin.isEmpty()) {
            throw refused("A key in the subprotocols needs an Origin header");
        }
        boolean byCookie = !byProtocol && exchange.header("Authorization").isEmpty();
        if (byCookie && !own) {
            throw refused("A console log-in opens sockets only from the console's own pages");
        }
        if (origin.isPresent() && !own && !named.contains(origin.get())) {
            throw refused("Pages of this origin may not open a socket");
        }
    }

    private static boolean isOwn(String origin, Optional<String> host) {
        try {
            return host.isPresent()
                    && host.get().equalsIgnoreCase(URI.create(origin).getRawAuthority());
        } catch (IllegalArgumentException noAddress) {
            return false;
        }
    }

    private static HttpFailure refused(String what) {
        return HttpFailure.of(
                ErrorCode.PERMISSION_DENIED,
                what + "; add the page's origin to the setting dialect.chat.allowed_origins and send a key.");
    }
}
