package dev.toolgate.server.wiring;

import dev.toolgate.core.tool.ToolCatalog;
import dev.toolgate.http.routing.Route;
import dev.toolgate.server.admin.review.CompactMatrixRoute;
import dev.toolgate.server.admin.review.ConditionCheckRoute;
import dev.toolgate.server.admin.review.ExplainRoute;
import dev.toolgate.server.admin.review.ProposalRoute;
import dev.toolgate.server.admin.review.Proposals;
import dev.toolgate.server.admin.review.SimulateRoute;
import dev.toolgate.server.admin.review.Simulation;
import dev.toolgate.store.audit.query.RecordedCalls;
import dev.toolgate.store.grant.GrantAdministration;
import dev.toolgate.store.grant.GrantUsage;
import dev.toolgate.store.grant.PermissionSnapshots;
import java.time.Clock;
import java.util.List;
import java.util.stream.Stream;
import org.jdbi.v3.core.Jdbi;

/** Wires the routes that review permissions without changing them. */
final class ReviewParts {
    private ReviewParts() {}

    static List<Route> routes(StoreParts store, GateParts gate, ToolCatalog catalog, int maxBody, Clock clock) {
        Jdbi jdbi = store.database().jdbi();
        PermissionSnapshots snapshots = new PermissionSnapshots(jdbi, store.conditions());
        GrantAdministration administration = new GrantAdministration(jdbi, store.conditions(), store.grants()::changed);
        RecordedCalls records = new RecordedCalls(jdbi);
        Simulation simulation = new Simulation(snapshots, records, store.policies(), catalog, gate.rules());
        Proposals proposals = new Proposals(new GrantUsage(jdbi), records, store.conditions(), catalog);
        return Stream.of(
                        new CompactMatrixRoute(snapshots, catalog, clock).all(),
                        new ExplainRoute(gate.gate(), catalog, maxBody).all(),
                        new ConditionCheckRoute().all(),
                        new SimulateRoute(simulation, administration, catalog, clock).all(),
                        new ProposalRoute(proposals, clock).all())
                .flatMap(List::stream)
                .toList();
    }
}
