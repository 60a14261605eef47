package dev.toolgate.server.admin;

import dev.toolgate.core.audit.AuditedChanges;
import dev.toolgate.core.call.CallContext;
import dev.toolgate.core.call.WorkspaceId;
import dev.toolgate.core.identity.Principal;
import dev.toolgate.http.routing.Exchange;
import dev.toolgate.http.routing.Handler;
import dev.toolgate.http.routing.Method;
import dev.toolgate.http.routing.Recording;
import dev.toolgate.http.routing.Response;
import dev.toolgate.http.routing.Route;
import dev.toolgate.http.routing.Routes;
import dev.toolgate.server.gate.Callers;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Records administrative changes in the audit log: who changed what, its state before and after, and why. The handlers
 * it makes respond only once the record is durable.
 */
public final class Administration {
    private final AuditedChanges changes;

    public Administration(AuditedChanges changes) {
        this.changes = changes;
    }

    /** Handles a request that changes something; may block. */
    @FunctionalInterface
    public interface ChangeHandler {
        /**
         * @param change must be given the state before the change and the state after it
         */
        Response handle(Exchange exchange, Change change) throws Exception;
    }

    /**
     * Returns the handler for a route that changes something.
     *
     * @param what the kind of resource, for example {@code keys}
     * @param operation the operation on it, for example {@code create}
     */
    public Handler handler(String what, String operation, ChangeHandler handler) {
        return new RecordingHandler(what, operation, handler);
    }

    /** Starts a recorded change outside of a route, for example over a WebSocket. */
    public Change change(Principal principal, @Nullable String correlationId, String what, String operation) {
        return new Change(
                changes,
                Callers.of(principal, null, null, WorkspaceId.DEFAULT),
                CallContext.NONE.correlatedBy(correlationId),
                what,
                operation);
    }

    /**
     * Checks that every route that can change something declares how the change is recorded.
     *
     * @throws IllegalStateException if a route does not
     */
    public static Routes requireRecorded(Routes routes) {
        List<String> unstated = routes.all().stream()
                .filter(route -> route.method() != Method.GET && recording(route) == Recording.NOT_STATED)
                .map(route -> route.method() + " " + route.path())
                .toList();
        if (!unstated.isEmpty()) {
            throw new IllegalStateException("These routes do not declare how their changes are recorded: "
                    + String.join(", ", unstated) + "; use a handler of Administration.");
        }
        return routes;
    }

    /** Returns how the changes a route makes are recorded. */
    public static Recording recording(Route route) {
        return route.handler() instanceof RecordingHandler ? Recording.BY_ADMINISTRATION : route.recording();
    }

    private final class RecordingHandler implements Handler {
        private final String what;
        private final String operation;
        private final ChangeHandler handler;

        RecordingHandler(String what, String operation, ChangeHandler handler) {
            this.what = what;
            this.operation = operation;
            this.handler = handler;
        }

        @Override
        public Response handle(Exchange exchange) throws Exception {
            Change change = change(exchange.principal(), exchange.correlationId(), what, operation);
            exchange.pathParameters().forEach(change::about);
            return change.recorded(() -> handler.handle(exchange, change));
        }
    }
}
