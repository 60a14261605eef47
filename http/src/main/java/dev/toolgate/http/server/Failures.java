package dev.toolgate.http.server;

import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.call.Unavailable;
import dev.toolgate.http.error.HttpFailure;
import dev.toolgate.http.events.ClientOutput;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Maps exceptions of handlers to error responses. */
final class Failures {
    private static final Logger LOG = LoggerFactory.getLogger(Failures.class);

    private Failures() {}

    static HttpFailure of(Throwable thrown, String correlationId) {
        return switch (thrown) {
            case HttpFailure failure -> failure;
            case Unavailable unavailable -> {
                LOG.warn("Request {}: dependency unavailable: {}", correlationId, unavailable.getMessage());
                yield HttpFailure.unavailable("A dependency of the server is unavailable; nothing was done.");
            }
            case ClientOutput.ClientGone gone -> {
                LOG.debug("Request {}: the client disconnected", correlationId, gone);
                yield HttpFailure.unavailable("The client has disconnected.");
            }
            case InterruptedException _ -> HttpFailure.unavailable("The server is stopping.");
            default -> {
                LOG.error("Request {} failed", correlationId, thrown);
                yield HttpFailure.of(
                        ErrorCode.INTERNAL_ERROR,
                        "The server failed unexpectedly; its log has the cause under this correlation id.");
            }
        };
    }
}
