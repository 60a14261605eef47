package dev.toolgate.server.admin.audit;

import dev.toolgate.core.identity.Right;
import dev.toolgate.http.error.Dialect;
import dev.toolgate.http.error.HttpFailure;
import dev.toolgate.http.routing.Exchange;
import dev.toolgate.http.routing.Response;
import dev.toolgate.http.routing.Route;
import dev.toolgate.http.routing.RouteAccess;
import dev.toolgate.server.admin.Administration;
import dev.toolgate.server.admin.Change;
import dev.toolgate.store.audit.rollup.AuditRollup;
import java.util.List;

/** The route that rebuilds the counts of all audit records. */
public final class RollupRoutes {
    private final AuditRollup rollup;
    private final Administration administration;

    public RollupRoutes(AuditRollup rollup, Administration administration) {
        this.rollup = rollup;
        this.administration = administration;
    }

    /** The route. */
    public List<Route> all() {
        // It keeps the database busy for all tenants, so only admins of the first tenant may request it.
        return List.of(Route.post(
                "/api/v1/audit/rollup",
                RouteAccess.needs(Right.MANAGE_TENANTS),
                Dialect.STANDARD,
                administration.handler("audit rollup", "rebuild", this::rebuild)));
    }

    private Response rebuild(Exchange exchange, Change change) {
        change.begin(null);
        try {
            RebuiltRollup rebuilt = new RebuiltRollup(rollup.rebuild());
            change.changedTo(rebuilt);
            return Response.json(rebuilt);
        } catch (AuditRollup.RebuildRunning busy) {
            throw HttpFailure.conflict(String.valueOf(busy.getMessage()));
        }
    }

    /**
     * @param records how many were counted
     */
    private record RebuiltRollup(long records) {}
}
