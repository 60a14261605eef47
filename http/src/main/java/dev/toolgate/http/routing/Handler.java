package dev.toolgate.http.routing;

import dev.toolgate.http.error.HttpFailure;

/** Answers the requests of one route; may block. */
@FunctionalInterface
public interface Handler {

    /**
     * Answers one request.
     *
     * @throws HttpFailure to answer with an error
     * @throws dev.toolgate.core.call.Unavailable to answer 503
     * @throws Exception anything else is answered with 500 and logged
     */
    Response handle(Exchange exchange) throws Exception;
}
