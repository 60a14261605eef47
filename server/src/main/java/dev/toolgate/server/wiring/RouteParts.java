package dev.toolgate.server.wiring;

import dev.toolgate.core.artifact.ArtifactAccess;
import dev.toolgate.core.audit.AuditedChanges;
import dev.toolgate.core.decision.GrantAdvice;
import dev.toolgate.core.redact.Redactor;
import dev.toolgate.core.tool.ToolCatalog;
import dev.toolgate.http.routing.Routes;
import dev.toolgate.runtime.tools.file.WriteTracker;
import dev.toolgate.server.admin.Administration;
import dev.toolgate.server.admin.audit.AuditRoutes;
import dev.toolgate.server.admin.audit.AuditStreamRoute;
import dev.toolgate.server.config.ServerSettings;
import dev.toolgate.server.door.HttpCalls;
import dev.toolgate.server.door.access.CallRoutes;
import dev.toolgate.server.door.access.ToolRoutes;
import dev.toolgate.server.door.artifact.ArtifactRoutes;
import dev.toolgate.server.door.model.ProviderRoutes;
import dev.toolgate.server.gate.CallCollector;
import dev.toolgate.server.gate.Gate;
import dev.toolgate.server.model.ModelProviders;
import dev.toolgate.server.openapi.OpenApiRoutes;
import dev.toolgate.server.operate.OperationRoutes;
import dev.toolgate.server.operate.Release;
import dev.toolgate.server.operate.health.Health;
import dev.toolgate.store.Database;
import dev.toolgate.store.audit.query.AuditFeed;
import dev.toolgate.store.audit.query.AuditQueries;
import dev.toolgate.store.directory.Agents;
import dev.toolgate.store.heldcall.CollectedCalls;
import java.sql.SQLException;
import java.time.Clock;

/** Everything the server can be asked: the doors, administration and operation, one line each. */
final class RouteParts {
    private RouteParts() {}

    static Routes of(
            ServerSettings settings,
            StoreParts store,
            GateParts gateParts,
            IdentityParts identity,
            ToolCatalog catalog,
            WriteTracker writes,
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
        HttpCalls calls = new HttpCalls(gate, new CallCollector(gate, new CollectedCalls(database.jdbi())));
        GrantAdvice advice = new GrantAdvice(store.grants(), catalog, clock);
        ArtifactAccess artifacts = new ArtifactAccess(store.grants(), store.policies(), clock);
        int maxBody = Math.toIntExact(settings.http().maxBody().bytes());
        return Administration.requireRecorded(Routes.of(
                new ToolRoutes(gate, calls, store.grants(), advice, maxBody).all(),
                new CallRoutes(calls, store.grants(), advice).all(),
                Doors.routes(settings, store, gate, calls, catalog, agents, clock),
                ChatParts.routes(settings, store, gateParts, catalog, agents, models, administration, clock),
                new ProviderRoutes(models).all(),
                new ArtifactRoutes(store.artifacts().store(), artifacts, changes).all(),
                ApprovalParts.routes(store, catalog, administration),
                AdministrationParts.routes(
                        settings, store, identity, agents, catalog, administration, writes::changes, redactor, clock),
                new AuditRoutes(new AuditQueries(database.jdbi()), store.checkpoints(), clock).all(),
                new AuditStreamRoute(resources.register(new AuditFeed(database.sessions()))).all(),
                new OperationRoutes(health, gateParts.metrics(), clock).all(),
                new OpenApiRoutes(Release.version()).all()));
    }
}
