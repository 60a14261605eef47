package dev.toolgate.server.door.frontend;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.Caller;
import dev.toolgate.core.call.SessionId;
import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.call.WorkspaceId;
import dev.toolgate.core.decision.Grants;
import dev.toolgate.core.identity.Principal;
import dev.toolgate.core.json.Json;
import dev.toolgate.core.policy.Policies;
import dev.toolgate.core.policy.PolicyBundle;
import dev.toolgate.core.policy.Session;
import dev.toolgate.core.tool.Alias;
import dev.toolgate.core.tool.Tool;
import dev.toolgate.core.tool.ToolCatalog;
import dev.toolgate.core.tool.ToolDefinition;
import dev.toolgate.core.tool.ToolSpec;
import dev.toolgate.http.error.HttpFailure;
import dev.toolgate.server.gate.Callers;
import java.time.InstantSource;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Lists the tools in a format for both front ends and agent hosts, with the names that each uses. */
public final class ToolListing {
    private final ToolCatalog catalog;
    private final Grants grants;
    private final Policies sessions;
    private final InstantSource clock;

    public ToolListing(ToolCatalog catalog, Grants grants, Policies sessions, InstantSource clock) {
        this.catalog = catalog;
        this.grants = grants;
        this.sessions = sessions;
        this.clock = clock;
    }

    /**
     * The tools of a session: those of its agent that the policy covers.
     *
     * @param agent the calling agent; {@code null} for a principal that may call for any agent, then the session's
     *     agent
     * @throws HttpFailure if the session is not found for the caller, or has ended
     */
    ObjectNode of(Principal principal, @Nullable AgentId agent, SessionId id) {
        Session session = sessions.find(principal.tenant(), id)
                .orElseThrow(() -> ExecuteToolAnswer.error(Session.notFound(id.value())));
        @Nullable AgentId acting = agent == null ? session.agent() : agent;
        Caller caller = Callers.of(principal, acting, id, WorkspaceId.DEFAULT);
        session.refusal(caller, clock.instant()).ifPresent(why -> {
            throw ExecuteToolAnswer.error(why);
        });
        return of(principal.tenant(), acting, session.bundle());
    }

    /**
     * The tools an agent may use.
     *
     * @param agent {@code null} for a principal that may call for any agent; then all tools are listed
     */
    ObjectNode of(TenantId tenant, @Nullable AgentId agent) {
        return of(tenant, agent, null);
    }

    private ObjectNode of(TenantId tenant, @Nullable AgentId agent, @Nullable PolicyBundle session) {
        ObjectNode body = Json.MAPPER.createObjectNode();
        ArrayNode tools = body.putArray("tools");
        Set<String> granted = agent == null ? Set.of() : Set.copyOf(grants.toolsOf(tenant, agent));
        for (Tool<?> tool : catalog.runHere(tenant)) {
            ToolSpec<?> spec = tool.spec();
            boolean mayUse = agent == null || granted.contains(spec.name());
            if (mayUse && (session == null || session.covers(spec))) {
                tools.add(entry(spec));
            }
        }
        return body;
    }

    private static ObjectNode entry(ToolSpec<?> spec) {
        ToolDefinition web = spec.definition(Alias.Naming.WEB);
        ToolDefinition runtime = spec.definition(Alias.Naming.RUNTIME);
        ObjectNode entry = Json.MAPPER.createObjectNode();
        entry.put("name", web.toolName());
        entry.put("toolName", runtime.toolName());
        entry.put("description", spec.description());
        entry.set("requestSchema", web.inputSchema());
        entry.set("responseSchema", spec.resultSchema().orElseGet(ToolListing::text));
        entry.set("inputSchema", runtime.inputSchema());
        entry.put("requiresCapability", spec.capability());
        entry.put("danger", spec.danger().wireName());
        return entry.put("category", spec.category().wireName());
    }

    /** The result schema of a tool without a structured value. */
    private static ObjectNode text() {
        return Json.MAPPER.createObjectNode().put("type", "string");
    }
}
