package dev.toolgate.server.wiring;

import dev.toolgate.core.tool.ToolCatalog;
import dev.toolgate.server.external.ExternalTools;
import dev.toolgate.store.Database;
import dev.toolgate.store.external.ExternalToolTable;
import dev.toolgate.store.version.TenantChangeWatch;
import dev.toolgate.store.version.VersionTable;

/** Wires the tools that their callers run themselves. */
record ExternalToolParts(ExternalToolTable table, ExternalTools tools) {

    /** Offers the registered tools of all tenants, and follows changes made at other instances. */
    static ExternalToolParts open(Database database, ToolCatalog catalog, Resources resources) {
        ExternalToolTable table = new ExternalToolTable(database.jdbi());
        ExternalTools tools = new ExternalTools(table, catalog);
        tools.start();
        resources.register(
                database.listener().subscribe(new TenantChangeWatch(VersionTable.EXTERNAL_TOOLS, tools::reload)));
        return new ExternalToolParts(table, tools);
    }
}
