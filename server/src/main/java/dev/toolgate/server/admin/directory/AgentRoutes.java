package dev.toolgate.server.admin.directory;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.call.TrustLevel;
import dev.toolgate.core.identity.Right;
import dev.toolgate.http.error.Dialect;
import dev.toolgate.http.error.HttpFailure;
import dev.toolgate.http.json.JsonRecord;
import dev.toolgate.http.routing.Exchange;
import dev.toolgate.http.routing.Response;
import dev.toolgate.http.routing.Route;
import dev.toolgate.http.routing.RouteAccess;
import dev.toolgate.server.admin.Administration;
import dev.toolgate.server.admin.Change;
import dev.toolgate.server.admin.permission.TemplateNames;
import dev.toolgate.server.door.Authors;
import dev.toolgate.server.door.FailureMapping;
import dev.toolgate.server.door.Page;
import dev.toolgate.server.door.PathIds;
import dev.toolgate.server.door.Urls;
import dev.toolgate.store.directory.Agent;
import dev.toolgate.store.directory.AgentProvisioning;
import dev.toolgate.store.directory.Agents;
import dev.toolgate.store.grant.Author;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** Routes to administer the agents of a tenant. */
public final class AgentRoutes {
    private static final String ALL = "/api/v1/agents";
    private static final String AGENTS = "agents";
    private static final String ONE = ALL + "/{agent_id}";

    private final JsonRecord<NewAgent> newAgent = JsonRecord.of(NewAgent.class);
    private final JsonRecord<AgentPatch> patch = JsonRecord.of(AgentPatch.class);
    private final Agents agents;
    private final AgentProvisioning provisioning;
    private final TemplateNames templates;
    private final Administration administration;

    public AgentRoutes(
            Agents agents, AgentProvisioning provisioning, TemplateNames templates, Administration administration) {
        this.agents = agents;
        this.administration = administration;
        this.provisioning = provisioning;
        this.templates = templates;
    }

    /** The routes. */
    public List<Route> all() {
        RouteAccess read = RouteAccess.needs(Right.READ_PERMISSIONS);
        RouteAccess change = RouteAccess.needs(Right.CHANGE_PERMISSIONS);
        return List.of(
                Route.get(ALL, read, Dialect.STANDARD, this::list).withQuery("q", "limit", "after"),
                Route.post(ALL, change, Dialect.STANDARD, administration.handler(AGENTS, "create", this::create)),
                Route.get(ONE, read, Dialect.STANDARD, this::show).withSlashesIn("agent_id"),
                Route.patch(ONE, change, Dialect.STANDARD, administration.handler(AGENTS, "update", this::update))
                        .withSlashesIn("agent_id")
                        .withQuery(Authors.REASON),
                Route.delete(ONE, change, Dialect.STANDARD, administration.handler(AGENTS, "delete", this::delete))
                        .withSlashesIn("agent_id")
                        .withQuery(Authors.REASON));
    }

    private Response list(Exchange exchange) {
        Page page = Page.of(exchange);
        Optional<String> text = exchange.query().text("q");
        List<Agent> found =
                agents.list(tenant(exchange), text.orElse(null), page.after(PathIds::agent), page.limitPlusOne());
        return page.answer(
                ALL,
                found,
                Agent::agentId,
                agent -> agent,
                text.map(wanted -> Map.of("q", wanted)).orElse(Map.of()));
    }

    private Response create(Exchange exchange, Change change) {
        NewAgent wanted = exchange.json(newAgent);
        String template = wanted.template() == null ? null : templates.idOf(wanted.template());
        Author author = Authors.of(exchange, wanted.reason());
        change.about("agent_id", wanted.agentId().value())
                .because(author.reason())
                .begin(null);
        Agent made = FailureMapping.unknownAsConflict(() -> provisioning.create(
                        tenant(exchange),
                        wanted.agentId(),
                        wanted.name(),
                        wanted.description(),
                        wanted.trustLevel() == null ? TrustLevel.GUIDED : wanted.trustLevel(),
                        template,
                        author))
                .orElseThrow(() -> HttpFailure.conflict("There is an agent '" + wanted.agentId() + "' already."));
        change.changedTo(new RecordedAgent(made, template));
        return new Response.Json(201, made, Map.of("Location", Urls.of(ALL, made.agentId())));
    }

    private Response show(Exchange exchange) {
        return Response.json(find(exchange));
    }

    private Response update(Exchange exchange, Change change) {
        ObjectNode body = exchange.json();
        AgentPatch wanted = patch.read(body);
        Agent before = find(exchange);
        AgentId agent = agent(exchange);
        change.because(Authors.of(exchange).reason()).begin(before);
        Agent after = FailureMapping.unknownAsConflict(() -> agents.update(
                        tenant(exchange),
                        agent,
                        body.has("name") ? wanted.name() : before.name(),
                        body.has("description") ? wanted.description() : before.description(),
                        wanted.trustLevel()))
                .orElseThrow(() -> PathIds.noAgent(agent));
        change.changedTo(after);
        return Response.json(after);
    }

    private Response delete(Exchange exchange, Change change) {
        AgentId agent = agent(exchange);
        change.because(Authors.of(exchange).reason()).begin(find(exchange));
        if (!agents.delete(tenant(exchange), agent, Authors.of(exchange))) {
            throw PathIds.noAgent(agent);
        }
        return Response.empty();
    }

    private Agent find(Exchange exchange) {
        AgentId agent = agent(exchange);
        return agents.find(tenant(exchange), agent).orElseThrow(() -> PathIds.noAgent(agent));
    }

    private static AgentId agent(Exchange exchange) {
        return PathIds.agent(exchange.path("agent_id"));
    }

    private static TenantId tenant(Exchange exchange) {
        return exchange.principal().tenant();
    }

    /**
     * @param trustLevel guided if left out
     * @param template the id or name of a template whose tools are granted at once
     */
    private record NewAgent(
            AgentId agentId,
            @Nullable String name,
            @Nullable String description,
            @Nullable TrustLevel trustLevel,
            @Nullable String template,
            @Nullable String reason) {}

    /** A new agent as recorded, with the template it was created from. */
    private record RecordedAgent(
            @JsonUnwrapped Agent agent, @Nullable String template) {}

    /** A field that is left out stays unchanged; a null name or description is removed. */
    private record AgentPatch(
            @Nullable String name,
            @Nullable String description,
            @Nullable TrustLevel trustLevel) {}
}
