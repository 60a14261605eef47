package dev.toolgate.http.socket;

import dev.toolgate.http.error.BadRequest;
import java.util.List;
import java.util.Optional;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;

/**
 * The subprotocols a client offers for a WebSocket. Browsers cannot send headers with a WebSocket, so the key may be
 * offered as a subprotocol. The server answers with {@link #NAME} and never repeats a key.
 */
public final class SocketProtocols {
    /** The only subprotocol the server accepts. */
    public static final String NAME = "toolgate.chat";

    private static final String KEY = "toolgate.key.";

    private SocketProtocols() {}

    static List<String> offered(HttpFields headers) {
        return headers.getFields(HttpHeader.SEC_WEBSOCKET_SUBPROTOCOL).stream()
                .map(HttpField::getValueList)
                .flatMap(List::stream)
                .toList();
    }

    /**
     * The key that a client offers with its upgrade request.
     *
     * @throws BadRequest if there are two, or {@link #NAME} is not offered too, which the client needs accepted
     */
    public static Optional<String> key(HttpFields headers) {
        if (!"websocket".equalsIgnoreCase(headers.get(HttpHeader.UPGRADE))) {
            return Optional.empty();
        }
        List<String> offered = offered(headers);
        List<String> keys = offered.stream()
                .filter(protocol -> protocol.startsWith(KEY))
                .map(protocol -> protocol.substring(KEY.length()))
                .toList();
        if (keys.isEmpty()) {
            return Optional.empty();
        }
        if (keys.size() > 1) {
            throw new BadRequest("Two keys are offered as subprotocols; offer one.");
        }
        if (!offered.contains(NAME)) {
            throw new BadRequest("A key is offered as a subprotocol, but not the subprotocol '" + NAME
                    + "', which the server answers with; offer both.");
        }
        return Optional.of(keys.getFirst());
    }
}
