package dev.toolgate.runtime;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.decision.Grants;
import dev.toolgate.core.tool.ToolCatalog;
import java.util.List;

/** The program that embeds the runtime has its own policy enforcer, which has already said yes. */
public final class HostDecides implements Grants {
    private final ToolCatalog catalog;

    public HostDecides(ToolCatalog catalog) {
        this.catalog = catalog;
    }

    @Override
    public List<Grant> find(TenantId tenant, AgentId agent, String tool) {
        return List.of(Grant.PLAIN);
    }

    @Override
    public List<String> toolsOf(TenantId tenant, AgentId agent) {
        return catalog.all().stream().map(tool -> tool.spec().name()).toList();
    }

    @Override
    public int usesLeft(TenantId tenant, Uses uses) {
        return 0; // no grant from here has a number of uses
    }

    @Override
    public boolean use(TenantId tenant, Uses uses) {
        return false;
    }
}
