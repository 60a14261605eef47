package dev.toolgate.server.door.chat;

import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.http.error.HttpFailure;
import dev.toolgate.http.routing.Exchange;
import java.net.URI;
import java.util.Optional;
import java.util.Set;

/**
 * From which pages a socket may be opened. A browser lets any page open one to anywhere, and sends the cookies along, so
 * the page is looked at here: the server's own always, others only if they are named, and those never with a cookie.
 */
final class Origins {
    private final Set<String> named;

    Origins(Set<String> named) {
        this.named = Set.copyOf(named);
    }

    /** Turns a page away that has no business here; programs name no page. */
    void check(Exchange exchange) {
        Optional<String> origin = exchange.header("Origin");
        boolean own = origin.isPresent() && isOwn(origin.get(), exchange.header("Host"));
        boolean byProtocol = exchange.hasKeyInProtocols();
        if (byProtocol && origin.isEmpty()) {
            throw refused("A key among the subprotocols is for pages, and the request names none");
        }
        boolean byCookie = !byProtocol && exchange.header("Authorization").isEmpty();
        if (byCookie && !own) {
            throw refused("A console session opens sockets only from the console's own pages");
        }
        if (origin.isPresent() && !own && !named.contains(origin.get())) {
            throw refused("Pages of this origin may not open a socket here");
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
                what + "; name the page's origin in the setting dialect.chat.allowed_origins and send a key.");
    }
}
