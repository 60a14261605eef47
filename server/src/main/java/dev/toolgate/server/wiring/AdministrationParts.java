package dev.toolgate.server.wiring;

import dev.toolgate.core.redact.Redactor;
import dev.toolgate.core.tool.ToolCatalog;
import dev.toolgate.http.routing.Route;
import dev.toolgate.server.admin.Administration;
import dev.toolgate.server.admin.directory.AgentRoutes;
import dev.toolgate.server.admin.directory.GroupRoutes;
import dev.toolgate.server.admin.identity.ConsoleLoginRoutes;
import dev.toolgate.server.admin.identity.KeyRoutes;
import dev.toolgate.server.admin.identity.PeopleRoutes;
import dev.toolgate.server.admin.identity.SignOnRoutes;
import dev.toolgate.server.admin.identity.TenantRoutes;
import dev.toolgate.server.admin.permission.ChangeRoutes;
import dev.toolgate.server.admin.permission.GroupPermissionRoutes;
import dev.toolgate.server.admin.permission.MatrixRoutes;
import dev.toolgate.server.admin.permission.PermissionRoutes;
import dev.toolgate.server.admin.permission.TemplateNames;
import dev.toolgate.server.admin.permission.TemplateRoutes;
import dev.toolgate.server.admin.session.PolicySessionRoutes;
import dev.toolgate.server.config.ServerSettings;
import dev.toolgate.server.door.access.CatalogRoutes;
import dev.toolgate.store.directory.AgentProvisioning;
import dev.toolgate.store.directory.Agents;
import dev.toolgate.store.directory.Tenants;
import dev.toolgate.store.grant.GrantAdministration;
import dev.toolgate.store.grant.Groups;
import dev.toolgate.store.grant.PermissionHistory;
import dev.toolgate.store.grant.PostgresGrants;
import dev.toolgate.store.identity.ApiKeys;
import dev.toolgate.store.identity.People;
import dev.toolgate.store.identity.TenantProvisioning;
import dev.toolgate.store.session.Sessions;
import java.time.Clock;
import java.util.List;
import java.util.stream.Stream;
import org.jdbi.v3.core.Jdbi;

/** Wires the routes that administer agents, groups, permissions, keys, tenants and sessions. */
final class AdministrationParts {
    private AdministrationParts() {}

    static List<Route> routes(
            ServerSettings settings,
            StoreParts store,
            IdentityParts identity,
            Agents agents,
            ToolCatalog catalog,
            Administration recording,
            PolicySessionRoutes.ChangeSource changes,
            Redactor redactor,
            Clock clock) {
        Jdbi jdbi = store.database().jdbi();
        PostgresGrants grants = store.grants();
        GrantAdministration administration = new GrantAdministration(jdbi, store.conditions(), grants::changed);
        PermissionHistory permissions = new PermissionHistory(jdbi, clock);
        Groups groups = new Groups(jdbi, grants::changed);
        ApiKeys keys = new ApiKeys(jdbi, identity.keys()::changed);
        Tenants tenants = new Tenants(jdbi);
        TemplateNames templates = new TemplateNames(permissions);
        return Stream.of(
                        new AgentRoutes(
                                        agents,
                                        new AgentProvisioning(jdbi, agents, administration, grants::changed),
                                        templates,
                                        recording)
                                .all(),
                        new TemplateRoutes(permissions, administration, agents, templates, recording).all(),
                        new MatrixRoutes(permissions, agents, groups, catalog, clock).all(),
                        new PermissionRoutes(administration, permissions, catalog, recording, clock).all(),
                        new ChangeRoutes(permissions, catalog).all(),
                        new GroupRoutes(groups, recording, clock).all(),
                        new GroupPermissionRoutes(administration, groups, catalog, recording, clock).all(),
                        new KeyRoutes(keys, settings.auth().keys().expireAfter(), recording, clock).all(),
                        new TenantRoutes(tenants, new TenantProvisioning(jdbi, tenants, keys), recording, clock).all(),
                        new ConsoleLoginRoutes(identity.sessions(), identity.signOn(), recording).all(),
                        new SignOnRoutes(identity.signOn(), recording).all(),
                        new PeopleRoutes(new People(jdbi), recording).all(),
                        new PolicySessionRoutes(new Sessions(jdbi), recording, clock, changes, redactor).all(),
                        new CatalogRoutes(catalog, grants).all())
                .flatMap(List::stream)
                .toList();
    }
}
