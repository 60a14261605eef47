package dev.toolgate.server.wiring;

import dev.toolgate.core.artifact.ArtifactAccess;
import dev.toolgate.core.audit.AuditedChanges;
import dev.toolgate.core.decision.GrantAdvice;
import dev.toolgate.core.redact.Redactor;
import dev.toolgate.core.tool.ToolCatalog;
import dev.toolgate.core.undo.KeptChanges;
import dev.toolgate.http.routing.RouteAccess;
import dev.toolgate.http.routing.Routes;
import dev.toolgate.runtime.tools.file.WriteTracker;
import dev.toolgate.server.admin.Administration;
import dev.toolgate.server.admin.approval.ConsoleEventsRoute;
import dev.toolgate.server.admin.audit.AuditRoutes;
import dev.toolgate.server.admin.audit.AuditStreamRoute;
import dev.toolgate.server.admin.audit.RollupRoutes;
import dev.toolgate.server.admin.audit.StatisticsRoutes;
import dev.toolgate.server.admin.audit.UsageRoutes;
import dev.toolgate.server.admin.external.ExternalToolRoutes;
import dev.toolgate.server.admin.upstream.AccountRoutes;
import dev.toolgate.server.admin.upstream.ConnectPages;
import dev.toolgate.server.admin.upstream.McpServerRoutes;
import dev.toolgate.server.config.PublicAddress;
import dev.toolgate.server.config.ServerSettings;
import dev.toolgate.server.console.ConsoleRoutes;
import dev.toolgate.server.door.HttpCalls;
import dev.toolgate.server.door.access.CallRoutes;
import dev.toolgate.server.door.access.EvaluationRoutes;
import dev.toolgate.server.door.access.OutcomeRoutes;
import dev.toolgate.server.door.access.ToolRoutes;
import dev.toolgate.server.door.access.UndoRoutes;
import dev.toolgate.server.door.artifact.ArtifactReads;
import dev.toolgate.server.door.artifact.ArtifactRoutes;
import dev.toolgate.server.door.hook.HookRoutes;
import dev.toolgate.server.door.model.ProviderRoutes;
import dev.toolgate.server.gate.CallCollector;
import dev.toolgate.server.gate.Gate;
import dev.toolgate.server.gate.OutcomeReports;
import dev.toolgate.server.model.ModelProviders;
import dev.toolgate.server.openapi.OpenApiRoutes;
import dev.toolgate.server.operate.OperationRoutes;
import dev.toolgate.server.operate.Release;
import dev.toolgate.server.operate.health.Health;
import dev.toolgate.server.undo.RecordedChanges;
import dev.toolgate.server.undo.UndoCall;
import dev.toolgate.server.undo.UndoPreview;
import dev.toolgate.store.Database;
import dev.toolgate.store.audit.query.AuditFeed;
import dev.toolgate.store.audit.query.AuditQueries;
import dev.toolgate.store.audit.rollup.AuditRollup;
import dev.toolgate.store.audit.rollup.AuditStatistics;
import dev.toolgate.store.audit.write.PostgresPermits;
import dev.toolgate.store.directory.Agents;
import dev.toolgate.store.heldcall.CallLookup;
import dev.toolgate.store.mcp.PendingCalls;
import java.sql.SQLException;
import java.time.Clock;

/** Wires all routes of the server: doors, administration and operation. */
final class RouteParts {
    private RouteParts() {}

    static Routes of(
            ServerSettings settings,
            StoreParts store,
            GateParts gateParts,
            IdentityParts identity,
            ToolCatalog catalog,
            UpstreamParts upstream,
            ExternalToolParts external,
            PublicAddress address,
            WriteTracker writes,
            KeptChanges kept,
            ModelProviders models,
            Health health,
            Redactor redactor,
            Clock clock,
            Resources resources)
            throws SQLException {
        Database database = store.database();
        Gate gate = gateParts.gate();
        Agents agents = new Agents(database.jdbi(), tenant -> {
            store.grants().changed(tenant);
            identity.keys().changed(tenant);
        });
        AuditedChanges changes = new AuditedChanges(store.records(), redactor, clock);
        Administration administration = new Administration(changes);
        CallCollector collector = new CallCollector(gate, new CallLookup(database.jdbi()));
        HttpCalls calls = new HttpCalls(gate, collector);
        GrantAdvice advice = new GrantAdvice(store.grants(), catalog, clock);
        ArtifactAccess artifacts = new ArtifactAccess(store.grants(), store.policies(), clock);
        ArtifactReads reads = new ArtifactReads(store.artifacts().store(), artifacts, changes);
        AuditQueries records = new AuditQueries(database.jdbi());
        RecordedChanges recordedChanges = new RecordedChanges(kept, agents);
        UndoCall undoing = new UndoCall(store.policies(), clock);
        RouteAccess frontEnds = Doors.frontEndAccess(settings.dialect().toolbackend(), agents);
        PostgresPermits permits =
                new PostgresPermits(database.jdbi(), store.audit().recentPermits(), clock);
        int maxBody = Math.toIntExact(settings.http().maxBody().bytes());
        return Administration.requireRecorded(Routes.of(
                new ToolRoutes(
                                gate,
                                calls,
                                store.grants(),
                                advice,
                                settings.tools().external(),
                                maxBody)
                        .all(),
                new EvaluationRoutes(gate, maxBody).all(),
                new CallRoutes(calls, store.grants(), advice).all(),
                new HookRoutes(
                                gate,
                                calls,
                                permits,
                                new PendingCalls(database.jdbi()),
                                settings.tools().external(),
                                maxBody)
                        .all(),
                new OutcomeRoutes(new OutcomeReports(gate, permits), calls, store.grants(), advice, maxBody).all(),
                Doors.routes(settings, store, gate, calls, catalog, frontEnds, clock),
                McpParts.routes(
                        settings,
                        store,
                        gate,
                        collector,
                        catalog,
                        reads,
                        administration,
                        frontEnds,
                        address,
                        clock,
                        resources),
                ChatParts.routes(settings, store, gateParts, catalog, agents, models, administration, clock),
                new ProviderRoutes(models).all(),
                new ArtifactRoutes(store.artifacts().store(), artifacts, changes).all(),
                ApprovalParts.routes(store, catalog, administration, redactor),
                new ConsoleEventsRoute(store.approvals().feed(), store.grants()::version, health::report, clock).all(),
                AdministrationParts.routes(
                        settings, store, identity, agents, catalog, administration, writes::changes, redactor, clock),
                ReviewParts.routes(store, gateParts, catalog, maxBody, clock),
                new ExternalToolRoutes(external.table(), external.tools(), administration).all(),
                new McpServerRoutes(upstream.servers(), upstream.registry(), upstream.accounts(), administration).all(),
                new AccountRoutes(upstream.servers(), upstream.accounts(), upstream.registry(), administration).all(),
                new ConnectPages(upstream.servers(), upstream.accounts(), identity.sessions(), address, administration)
                        .all(),
                new AuditRoutes(records, store.checkpoints(), recordedChanges, clock).all(),
                new UndoRoutes(
                                records,
                                recordedChanges,
                                undoing,
                                new UndoPreview(gate, catalog, undoing, redactor),
                                calls,
                                store.grants(),
                                advice)
                        .all(),
                new RollupRoutes(new AuditRollup(database.jdbi()), administration).all(),
                new UsageRoutes(database.jdbi(), clock).all(),
                new StatisticsRoutes(new AuditStatistics(database.jdbi()), clock).all(),
                new AuditStreamRoute(resources.register(new AuditFeed(database.unpooled()))).all(),
                new OperationRoutes(health, gateParts.metrics(), clock).all(),
                new OpenApiRoutes(Release.version()).all(),
                new ConsoleRoutes().all()));
    }
}
