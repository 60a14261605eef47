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
 * Puts administration on record: who changed what, what it was before and what it is now, and why. Its handlers answer only
 * once the record is durable, whatever the code of a route does.
 */
public final class Administration {
    private final AuditedChanges changes;

    public Administration(AuditedChanges changes) {
        this.changes = changes;
    }

    /** Makes one change; may block. */
    @FunctionalInterface
    public interface ChangeHandler {
        /**
         * @param change told what is about to change before it does, and what it has become
         */
        Response handle(Exchange exchange, Change change) throws Exception;
    }

    /**
     * The handler of a route that changes something.
     *
     * @param what the kind of thing, for example {@code keys}
     * @param operation what is done to it, for example {@code create}
     */
    public Handler handler(String what, String operation, ChangeHandler handler) {
        return new RecordingHandler(what, operation, handler);
    }

    /** The change that somebody makes outside of such a route, for example over a socket. */
    public Change change(Principal principal, @Nullable String correlationId, String what, String operation) {
        return new Change(
                changes,
                Callers.of(principal, null, null, WorkspaceId.DEFAULT),
                CallContext.NONE.correlatedBy(correlationId),
                what,
                operation);
    }

    /**
     * Lets routes pass of which each that can change something says how that goes on record.
     *
     * @throws IllegalStateException if one does not
     */
    public static Routes requireRecorded(Routes routes) {
        List<String> unstated = routes.all().stream()
                .filter(route -> route.method() != Method.GET && recording(route) == Recording.NOT_STATED)
                .map(route -> route.method() + " " + route.path())
                .toList();
        if (!unstated.isEmpty()) {
            throw new IllegalStateException("These routes do not say how what they change goes on record: "
                    + String.join(", ", unstated) + "; use a handler of Administration.");
        }
        return routes;
    }

    /** How what a route changes goes on record. */
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
