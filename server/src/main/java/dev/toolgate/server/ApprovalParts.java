package dev.toolgate.server;

import dev.toolgate.core.port.ApprovalDesk;
import dev.toolgate.core.tool.ToolCatalog;
import dev.toolgate.server.dialect.approval.ApprovalRoutes;
import dev.toolgate.server.dialect.approval.ApprovalStreamRoute;
import dev.toolgate.server.dialect.approval.StandingRoutes;
import dev.toolgate.server.http.Route;
import dev.toolgate.store.Database;
import dev.toolgate.store.approval.PostgresApprovalDesk;
import dev.toolgate.store.approval.PostgresApprovals;
import java.util.List;
import java.util.stream.Stream;

/** What people are asked, and the routes to answer, wired. */
final class ApprovalParts {
    private ApprovalParts() {}

    static List<Route> routes(Database database, PostgresApprovals approvals, ToolCatalog catalog) {
        ApprovalDesk desk = new PostgresApprovalDesk(database.jdbi());
        return Stream.of(
                        new ApprovalRoutes(desk, catalog).all(),
                        new StandingRoutes(desk).all(),
                        new ApprovalStreamRoute(approvals.feed()).all())
                .flatMap(List::stream)
                .toList();
    }
}
