package dev.toolgate.runtime.network;

import java.util.Optional;

/** A request to send, provided its target is allowed. */
public record OutgoingRequest(HttpTarget target, String method, RequestHeaders headers, Optional<String> body) {

    /**
     * The request that follows a redirect, as browsers do it: after 301 and 302 a POST, and after 303 everything but
     * HEAD, becomes a GET without a body. Credentials are not sent to another origin.
     */
    OutgoingRequest redirected(int status, HttpTarget next) {
        OutgoingRequest same = becomesGet(status)
                ? new OutgoingRequest(next, "GET", headers.withoutBody(), Optional.empty())
                : new OutgoingRequest(next, method, headers, body);
        return next.hasOriginOf(target) ? same : same.withoutCredentials();
    }

    private OutgoingRequest withoutCredentials() {
        return new OutgoingRequest(target, method, headers.withoutCredentials(), body);
    }

    private boolean becomesGet(int status) {
        return switch (status) {
            case 301, 302 -> method.equals("POST");
            case 303 -> !method.equals("GET") && !method.equals("HEAD");
            default -> false;
        };
    }
}
