package dev.toolgate.server.dialect.toolbackend;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.port.Grants;
import dev.toolgate.core.schema.Json;
import dev.toolgate.core.tool.Alias;
import dev.toolgate.core.tool.Tool;
import dev.toolgate.core.tool.ToolCatalog;
import dev.toolgate.core.tool.ToolDefinition;
import dev.toolgate.core.tool.ToolSpec;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The tools under the names that front ends and agent hosts know, in one list that both can read. */
final class ToolListing {
    private final ToolCatalog catalog;
    private final Grants grants;

    ToolListing(ToolCatalog catalog, Grants grants) {
        this.catalog = catalog;
        this.grants = grants;
    }

    /**
     * The tools an agent may use.
     *
     * @param agent {@code null} for one who calls for any agent, and so may use every tool for somebody
     */
    ObjectNode of(TenantId tenant, @Nullable AgentId agent) {
        ObjectNode body = Json.MAPPER.createObjectNode();
        ArrayNode tools = body.putArray("tools");
        Set<String> granted = agent == null ? Set.of() : Set.copyOf(grants.toolsOf(tenant, agent));
        for (Tool<?> tool : catalog.all()) {
            if (agent == null || granted.contains(tool.spec().name())) {
                tools.add(entry(tool.spec()));
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

    /** What a tool without a structured value answers with. */
    private static ObjectNode text() {
        return Json.MAPPER.createObjectNode().put("type", "string");
    }
}
