package dev.toolgate.server.dialect.access;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.TenantId;
import dev.toolgate.server.change.Administration;
import dev.toolgate.server.change.Change;
import dev.toolgate.server.http.Access;
import dev.toolgate.server.http.Dialect;
import dev.toolgate.server.http.Exchange;
import dev.toolgate.server.http.JsonRecord;
import dev.toolgate.server.http.Response;
import dev.toolgate.server.http.Route;
import dev.toolgate.server.identity.Right;
import dev.toolgate.store.directory.Agents;
import dev.toolgate.store.grant.Author;
import dev.toolgate.store.grant.EffectivePermission;
import dev.toolgate.store.grant.GrantAdministration;
import dev.toolgate.store.grant.PermissionHistory;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Sets of tools for common roles, and giving one to an agent. */
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
                        Access.needs(Right.READ_PERMISSIONS),
                        Dialect.STANDARD,
                        _ -> Response.json(permissions.templates())),
                Route.post(
                                "/api/v1/agents/{agent_id}/template",
                                Access.needs(Right.CHANGE_PERMISSIONS),
                                Dialect.STANDARD,
                                recording.handler("templates", "apply", this::apply))
                        .withSlashesIn("agent_id"));
    }

    private Response apply(Exchange exchange, Change change) {
        Application wanted = exchange.json(application);
        TenantId tenant = exchange.principal().tenant();
        AgentId agent = Ids.agent(exchange.path("agent_id"));
        String template = templates.idOf(wanted.template());
        if (agents.find(tenant, agent).isEmpty()) {
            throw Ids.noAgent(agent);
        }
        Author author = Authors.of(exchange, wanted.reason());
        change.about("template_id", template).because(author.reason()).begins(held(tenant, agent));
        List<String> added = administration.applyTemplate(tenant, agent, template, author);
        Applied applied = new Applied(agent.value(), template, added);
        change.became(new Recorded(applied, held(tenant, agent).tools()));
        return Response.json(applied);
    }

    private Held held(TenantId tenant, AgentId agent) {
        return new Held(
                agent.value(),
                permissions.effective(tenant, agent).stream()
                        .map(EffectivePermission::toolName)
                        .toList());
    }

    /** What the agent has of its own and by its groups, for the record. */
    private record Held(String agentId, List<String> tools) {}

    /** What was added, and all that the agent has with it, for the record. */
    private record Recorded(@JsonUnwrapped Applied applied, List<String> tools) {}

    private record Application(String template, @Nullable String reason) {}

    private record Applied(String agentId, String templateId, List<String> added) {}
}
