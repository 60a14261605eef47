package dev.toolgate.server.admin.permission;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.identity.Right;
import dev.toolgate.http.error.Dialect;
import dev.toolgate.http.json.JsonRecord;
import dev.toolgate.http.routing.Exchange;
import dev.toolgate.http.routing.Response;
import dev.toolgate.http.routing.Route;
import dev.toolgate.http.routing.RouteAccess;
import dev.toolgate.server.admin.Administration;
import dev.toolgate.server.admin.Change;
import dev.toolgate.server.door.Authors;
import dev.toolgate.server.door.PathIds;
import dev.toolgate.store.directory.Agents;
import dev.toolgate.store.grant.Author;
import dev.toolgate.store.grant.EffectivePermission;
import dev.toolgate.store.grant.GrantAdministration;
import dev.toolgate.store.grant.PermissionHistory;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Routes to list permission templates and apply one to an agent. */
public final class TemplateRoutes {
    private final JsonRecord<Application> application = JsonRecord.of(Application.class);
    private final PermissionHistory permissions;
    private final GrantAdministration administration;
    private final Agents agents;
    private final TemplateNames templates;
    private final Administration recording;

    public TemplateRoutes(
            PermissionHistory permissions,
            GrantAdministration administration,
            Agents agents,
            TemplateNames templates,
            Administration recording) {
        this.recording = recording;
        this.permissions = permissions;
        this.administration = administration;
        this.agents = agents;
        this.templates = templates;
    }

    /** The routes. */
    public List<Route> all() {
        return List.of(
                Route.get(
                        "/api/v1/templates",
                        RouteAccess.needs(Right.READ_PERMISSIONS),
                        Dialect.STANDARD,
                        _ -> Response.json(permissions.templates())),
                Route.post(
                                "/api/v1/agents/{agent_id}/template",
                                RouteAccess.needs(Right.CHANGE_PERMISSIONS),
                                Dialect.STANDARD,
                                recording.handler("templates", "apply", this::apply))
                        .withSlashesIn("agent_id"));
    }

    private Response apply(Exchange exchange, Change change) {
        Application wanted = exchange.json(application);
        TenantId tenant = exchange.principal().tenant();
        AgentId agent = PathIds.agent(exchange.path("agent_id"));
        String template = templates.idOf(wanted.template());
        if (agents.find(tenant, agent).isEmpty()) {
            throw PathIds.noAgent(agent);
        }
        Author author = Authors.of(exchange, wanted.reason());
        change.about("template_id", template).because(author.reason()).begin(held(tenant, agent));
        List<String> added = administration.applyTemplate(tenant, agent, template, author);
        Applied applied = new Applied(agent.value(), template, added);
        change.changedTo(new Recorded(applied, held(tenant, agent).tools()));
        return Response.json(applied);
    }

    private Held held(TenantId tenant, AgentId agent) {
        return new Held(
                agent.value(),
                permissions.effective(tenant, agent).stream()
                        .map(EffectivePermission::toolName)
                        .toList());
    }

    /** The agent's effective tools, as recorded. */
    private record Held(String agentId, List<String> tools) {}

    /** The added tools and all effective tools, as recorded. */
    private record Recorded(@JsonUnwrapped Applied applied, List<String> tools) {}

    private record Application(String template, @Nullable String reason) {}

    private record Applied(String agentId, String templateId, List<String> added) {}
}
