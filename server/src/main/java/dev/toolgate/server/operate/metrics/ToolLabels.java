package dev.toolgate.server.operate.metrics;

import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.tool.Confidentiality;
import dev.toolgate.core.tool.ToolCatalog;

/** The labels of tools in metrics and traces: canonical names, never a text sent by a caller. */
public final class ToolLabels {
    public static final String UNKNOWN = "unknown";

    private final ToolCatalog catalog;

    public ToolLabels(ToolCatalog catalog) {
        this.catalog = catalog;
    }

    /** Whether a tool's arguments and results are kept out of traces. */
    public boolean isConfidential(TenantId tenant, String name) {
        return catalog.find(tenant, name)
                .map(tool -> tool.spec().confidentiality() == Confidentiality.CONFIDENTIAL)
                .orElse(false);
    }

    /** The canonical name of a name or alias. */
    public String of(TenantId tenant, String name) {
        return catalog.find(tenant, name).map(tool -> tool.spec().name()).orElse(UNKNOWN);
    }
}
