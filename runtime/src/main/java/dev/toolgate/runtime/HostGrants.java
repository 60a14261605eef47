package dev.toolgate.runtime;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.decision.Grants;
import dev.toolgate.core.tool.ToolCatalog;
import java.util.List;

/** Grants every tool: the embedding program enforces its own policy before it calls. */
public final class HostGrants implements Grants {
    private final ToolCatalog catalog;

    public HostGrants(ToolCatalog catalog) {
        this.catalog = catalog;
    }

    @Override
    public List<Grant> find(TenantId tenant, AgentId agent, String tool) {
        return List.of(Grant.PLAIN);
    }

    @Override
    public List<String> toolsOf(TenantId tenant, AgentId agent) {
        return catalog.all(tenant).stream().map(tool -> tool.spec().name()).toList();
    }

    @Override
    public int usesLeft(TenantId tenant, Uses uses) {
        return 0; // these grants have no usage limit
    }

    @Override
    public boolean use(TenantId tenant, Uses uses) {
        return false;
    }
}
