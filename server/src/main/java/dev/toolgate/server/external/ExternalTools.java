package dev.toolgate.server.external;

import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.tool.ExternalTool;
import dev.toolgate.core.tool.ToolCatalog;
import dev.toolgate.store.external.ExternalDefinition;
import dev.toolgate.store.external.ExternalToolTable;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Offers the registered external tools of all tenants at this instance. */
public final class ExternalTools {
    private static final Logger LOG = LoggerFactory.getLogger(ExternalTools.class);
    private static final String SOURCE = "external";

    private final ExternalToolTable table;
    private final ToolCatalog catalog;
    /** Held while tools are read and published, so that an older state never replaces a newer one. */
    private final ReentrantLock publishing = new ReentrantLock();

    public ExternalTools(ExternalToolTable table, ToolCatalog catalog) {
        this.table = table;
        this.catalog = catalog;
    }

    /** Offers the tools of all tenants. */
    public void start() {
        table.tenants().forEach(this::reload);
    }

    /** Reads the tools of a tenant again and offers them. */
    public void reload(TenantId tenant) {
        publishing.lock();
        try {
            List<ExternalTool> tools = new ArrayList<>();
            for (ExternalDefinition each : table.all(tenant)) {
                if (catalog.isShared(each.name())) {
                    LOG.warn(
                            "External tool '{}' of tenant '{}' is not offered, because a built-in tool has this name",
                            each.name(),
                            tenant);
                } else {
                    tools.add(ExternalTool.of(
                            each.name(), each.description(), each.inputSchema(), each.capability(), each.danger()));
                }
            }
            catalog.replace(tenant, SOURCE, tools);
        } finally {
            publishing.unlock();
        }
    }

    /** Whether a name belongs to a tool that every tenant has. */
    public boolean isBuiltIn(String name) {
        return catalog.isShared(name);
    }
}
