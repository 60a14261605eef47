package dev.toolgate.http.routing;

import dev.toolgate.http.error.HttpFailure;

/** Handles the requests of one route; may block. */
@FunctionalInterface
public interface Handler {

    /**
     * Handles one request.
     *
     * @throws HttpFailure to respond with an error
     * @throws dev.toolgate.core.call.Unavailable to respond with 503
     * @throws Exception anything else is logged and becomes 500
     */
    Response handle(Exchange exchange) throws Exception;
}
