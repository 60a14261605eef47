package dev.toolgate.server.dialect.access;

import dev.toolgate.core.tool.ToolCatalog;

/** Names of tools as people write them. */
public final class ToolNames {
    private final ToolCatalog catalog;

    public ToolNames(ToolCatalog catalog) {
        this.catalog = catalog;
    }

    /** The name grants are kept under; a name that no tool has at the moment stays as it is. */
    public String canonical(String name) {
        return catalog.find(name).map(tool -> tool.spec().name()).orElse(name);
    }
}
