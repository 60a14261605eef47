package dev.toolgate.http.routing;

import dev.toolgate.core.call.TenantId;
import dev.toolgate.http.error.Dialect;
import dev.toolgate.http.events.EndableStream;
import dev.toolgate.http.request.Body;
import dev.toolgate.http.request.CorrelationId;
import dev.toolgate.http.request.Pace;
import java.util.Map;
import java.util.Set;
import org.eclipse.jetty.http.PreEncodedHttpField;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

/** One request from its headers to the last byte of its response. */
public final class InFlight implements Callback {
    private static final PreEncodedHttpField NO_SNIFFING = new PreEncodedHttpField("X-Content-Type-Options", "nosniff");
    public static final String MDC_KEY = "correlation_id";
    private static final Set<String> METHODS = Set.of("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS");

    public final Request request;
    public final org.eclipse.jetty.server.Response response;
    public final Body body;

    private final Callback callback;
    private final RunningRequests running;
    private final RequestObserver observer;
    private final ConnectionIdleness idleness;
    private String correlationId;
    private Map<String, String> corsHeaders = Map.of();
    private Dialect dialect = Dialect.STANDARD;
    private String pattern = "(unknown)";
    private @Nullable Thread handling;
    private @Nullable EndableStream events;
    private @Nullable TenantId listening;

    public InFlight(
            Request request,
            org.eclipse.jetty.server.Response response,
            Callback callback,
            RunningRequests running,
            RequestObserver observer,
            Pace pace) {
        this.request = request;
        this.response = response;
        this.callback = callback;
        this.running = running;
        this.observer = observer;
        this.idleness = ConnectionIdleness.of(request.getConnectionMetaData());
        this.correlationId = CorrelationId.of(request.getHeaders());
        this.body = new Body(request, pace);
        idleness.requestBegan();
        putCommonHeaders();
    }

    public void putCommonHeaders() {
        response.getHeaders().put(CorrelationId.HEADER, correlationId).put(NO_SNIFFING);
        corsHeaders.forEach(response.getHeaders()::put);
    }

    /** Replaces the correlation id with one from the body. */
    void correlate(String id) {
        correlationId = id;
        MDC.put(MDC_KEY, id);
        putCommonHeaders();
    }

    public String correlationId() {
        return correlationId;
    }

    /** Sets CORS headers for every response, including errors. */
    public void corsHeaders(Map<String, String> headers) {
        if (!headers.isEmpty()) {
            corsHeaders = headers;
            putCommonHeaders();
        }
    }

    public void routed(Dialect itsDialect, String itsPattern) {
        dialect = itsDialect;
        pattern = itsPattern;
    }

    public Dialect dialect() {
        return dialect;
    }

    /** From here on, the current thread may be interrupted when the server stops. */
    public synchronized void handlingBegins() {
        handling = Thread.currentThread();
    }

    /** Ends the handler's work and clears an interrupt meant for it. */
    public synchronized void handlingEnds() {
        handling = null;
        Thread.interrupted();
    }

    synchronized void interrupt() {
        if (handling != null) {
            handling.interrupt();
        }
    }

    /** Marks it as an event stream of this tenant. */
    synchronized void sends(EndableStream stream, TenantId tenant) {
        events = stream;
        listening = tenant;
    }

    synchronized void endEvents() {
        if (events != null) {
            events.end();
        }
    }

    /** The tenant of its event stream; {@code null} if it is none. */
    synchronized @Nullable TenantId listening() {
        return listening;
    }

    @Override
    public void succeeded() {
        over();
        callback.succeeded();
    }

    @Override
    public void failed(Throwable failure) {
        over();
        callback.failed(failure);
    }

    // Before completing the callback, since the connection may start its next request at once.
    private void over() {
        if (!running.leave(this)) {
            return;
        }
        idleness.requestEnded();
        String method = METHODS.contains(request.getMethod()) ? request.getMethod() : "OTHER";
        observer.requestEnded(method, pattern, response.getStatus(), System.nanoTime() - request.getBeginNanoTime());
    }
}
