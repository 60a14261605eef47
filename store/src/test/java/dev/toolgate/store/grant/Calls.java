package dev.toolgate.store.grant;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.Call;
import dev.toolgate.core.call.Caller;
import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.call.WorkspaceId;
import dev.toolgate.core.json.Json;
import dev.toolgate.core.tool.Category;
import dev.toolgate.core.tool.ToolSpec;

/** Sample calls and tools. */
final class Calls {
    private Calls() {}

    record Nothing() {}

    static Call of(TenantId tenant, AgentId agent, String tool) {
        Caller caller = Caller.ofAgent(tenant, agent, null, new WorkspaceId("any"));
        return Call.of(caller, tool, Json.MAPPER.createObjectNode());
    }

    static ToolSpec<Nothing> tool(String name) {
        return ToolSpec.of(name, Nothing.class, Category.FILE, "Any.Thing", "Does nothing.");
    }
}
