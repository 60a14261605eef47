package dev.toolgate.http.routing;

import dev.toolgate.core.call.TenantId;
import dev.toolgate.http.error.Dialect;
import dev.toolgate.http.events.EventStream;
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

/** One request from its header to the last byte of its answer. */
public final class InFlight implements Callback {
    private static final PreEncodedHttpField NO_SNIFFING = new PreEncodedHttpField("X-Content-Type-Options", "nosniff");
    public static final String IN_LOGS = "correlation_id";
    private static final Set<String> METHODS = Set.of("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS");

    public final Request request;
    public final org.eclipse.jetty.server.Response response;
    public final Body body;

    private final Callback callback;
    private final RunningRequests running;
    private final RequestObserver observer;
    private final Quietness quietness;
    private String correlationId;
    private Map<String, String> sharing = Map.of();
    private Dialect dialect = Dialect.STANDARD;
    private String pattern = "(unknown)";
    private @Nullable Thread handling;
    private @Nullable EventStream events;
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
        this.quietness = Quietness.of(request.getConnectionMetaData());
        this.correlationId = CorrelationId.of(request.getHeaders());
        this.body = new Body(request, pace);
        quietness.ends();
        putCommonHeaders();
    }

    public void putCommonHeaders() {
        response.getHeaders().put(CorrelationId.HEADER, correlationId).put(NO_SNIFFING);
        sharing.forEach(response.getHeaders()::put);
    }

    /** From here on the request goes by this id, which its body brought. */
    void correlate(String id) {
        correlationId = id;
        MDC.put(IN_LOGS, id);
        putCommonHeaders();
    }

    public String correlationId() {
        return correlationId;
    }

    /** What every answer, errors too, says about pages of other origins. */
    public void sharedBy(Map<String, String> headers) {
        if (!headers.isEmpty()) {
            sharing = headers;
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

    /** From here on, the current thread may be interrupted for this request. */
    public synchronized void handlingBegins() {
        handling = Thread.currentThread();
    }

    /** What comes after this is no longer the handler's work; an interrupt that was meant for it is forgotten. */
    public synchronized void handlingEnds() {
        handling = null;
        Thread.interrupted();
    }

    synchronized void interrupt() {
        if (handling != null) {
            handling.interrupt();
        }
    }

    /** From here on it is an event stream of this tenant. */
    synchronized void sends(EventStream stream, TenantId tenant) {
        events = stream;
        listening = tenant;
    }

    synchronized void endEvents() {
        if (events != null) {
            events.end();
        }
    }

    /** The tenant whose event stream it is; {@code null} if it is none. */
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

    // Before the connection is told, since it may begin with its next request at once.
    private void over() {
        if (!running.leave(this)) {
            return;
        }
        quietness.begins();
        String method = METHODS.contains(request.getMethod()) ? request.getMethod() : "OTHER";
        observer.requestEnded(method, pattern, response.getStatus(), System.nanoTime() - request.getBeginNanoTime());
    }
}
