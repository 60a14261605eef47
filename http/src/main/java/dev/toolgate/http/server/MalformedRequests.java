package dev.toolgate.http.server;

import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.http.error.Dialect;
import dev.toolgate.http.error.HttpFailure;
import dev.toolgate.http.request.CorrelationId;
import dev.toolgate.http.routing.RequestObserver;
import java.nio.ByteBuffer;
import org.eclipse.jetty.http.HttpException;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.handler.ErrorHandler;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Responds to malformed requests with the standard JSON error instead of Jetty's HTML page. */
final class MalformedRequests implements Request.Handler {
    private static final Logger LOG = LoggerFactory.getLogger(MalformedRequests.class);

    private final RequestObserver observer;

    MalformedRequests(RequestObserver observer) {
        this.observer = observer;
    }

    @Override
    public boolean handle(Request request, org.eclipse.jetty.server.Response response, Callback callback) {
        int status = response.getStatus();
        String correlationId = CorrelationId.of(request.getHeaders());
        HttpFailure failure =
                failure(status, (Throwable) request.getAttribute(ErrorHandler.ERROR_EXCEPTION), correlationId);
        byte[] body = Answers.encoded(Dialect.STANDARD.errors().error(failure.error(correlationId)));
        response.setStatus(failure.status());
        // Jetty closes the connection after a malformed request; without this header the client would reuse it.
        response.getHeaders()
                .put(HttpFields.CONNECTION_CLOSE)
                .put(Answers.JSON)
                .put(CorrelationId.HEADER, correlationId)
                .put("X-Content-Type-Options", "nosniff")
                .put(HttpHeader.CACHE_CONTROL, "no-store");
        observer.requestEnded("OTHER", "(broken)", failure.status(), System.nanoTime() - request.getBeginNanoTime());
        response.write(true, ByteBuffer.wrap(body), callback);
        return true;
    }

    private static HttpFailure failure(int status, @Nullable Throwable cause, String correlationId) {
        if (status >= 500 && !(cause instanceof HttpException)) {
            LOG.error("Request {} failed", correlationId, cause);
            return HttpFailure.of(ErrorCode.INTERNAL_ERROR, "The server failed unexpectedly.");
        }
        return new HttpFailure(
                status,
                ErrorCode.INVALID_REQUEST,
                switch (status) {
                    case 408 -> "The request did not arrive in time.";
                    case 414 -> "The address is too long.";
                    case 431 -> "The headers are too large.";
                    default -> "The request is not valid HTTP" + reason(cause) + ".";
                });
    }

    private static String reason(@Nullable Throwable cause) {
        String reason = cause instanceof HttpException http ? http.getReason() : null;
        return reason == null || reason.length() > 100 ? "" : ": " + reason;
    }
}
