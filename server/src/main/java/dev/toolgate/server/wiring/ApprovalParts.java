package dev.toolgate.server.wiring;

import dev.toolgate.core.approval.ApprovalDesk;
import dev.toolgate.core.redact.Redactor;
import dev.toolgate.core.tool.ToolCatalog;
import dev.toolgate.http.routing.Route;
import dev.toolgate.server.admin.Administration;
import dev.toolgate.server.admin.approval.ApprovalAnswerHandler;
import dev.toolgate.server.admin.approval.ApprovalRoutes;
import dev.toolgate.server.admin.approval.ApprovalStreamRoute;
import dev.toolgate.server.admin.approval.StandingRoutes;
import java.util.List;
import java.util.stream.Stream;

/** Wires the routes of approvals. */
final class ApprovalParts {
    private ApprovalParts() {}

    static List<Route> routes(StoreParts store, ToolCatalog catalog, Administration recording, Redactor redactor) {
        ApprovalDesk desk = store.desk();
        return Stream.of(
                        new ApprovalRoutes(desk, new ApprovalAnswerHandler(desk, recording), catalog, redactor).all(),
                        new StandingRoutes(desk, recording).all(),
                        new ApprovalStreamRoute(store.approvals().feed()).all())
                .flatMap(List::stream)
                .toList();
    }
}
