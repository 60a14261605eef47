package dev.toolgate.http.server;

import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.call.Unavailable;
import dev.toolgate.http.error.HttpFailure;
import dev.toolgate.http.events.ClientOutput;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** From what a handler threw to what its caller is told. */
final class Failures {
    private static final Logger LOG = LoggerFactory.getLogger(Failures.class);

    private Failures() {}

    static HttpFailure of(Throwable thrown, String correlationId) {
        return switch (thrown) {
            case HttpFailure failure -> failure;
            case Unavailable unavailable -> {
                LOG.warn("Request {} cannot be answered now: {}", correlationId, unavailable.getMessage());
                yield HttpFailure.unavailable("The server cannot reach something it needs; nothing was done.");
            }
            case ClientOutput.ClientGone gone -> {
                LOG.debug("Request {} lost its client", correlationId, gone);
                yield HttpFailure.unavailable("The client has gone away.");
            }
            case InterruptedException _ -> HttpFailure.unavailable("The server is stopping.");
            default -> {
                LOG.error("Request {} failed", correlationId, thrown);
                yield HttpFailure.of(
                        ErrorCode.INTERNAL_ERROR, "Something went wrong in the server; its log knows this request.");
            }
        };
    }
}
