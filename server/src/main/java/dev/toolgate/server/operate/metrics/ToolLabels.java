package dev.toolgate.server.operate.metrics;

import dev.toolgate.core.tool.Confidentiality;
import dev.toolgate.core.tool.ToolCatalog;

/** What a tool is called in metrics and traces: its own name, never what a caller made up. */
public final class ToolLabels {
    public static final String UNKNOWN = "unknown";

    private final ToolCatalog catalog;

    public ToolLabels(ToolCatalog catalog) {
        this.catalog = catalog;
    }

    /** Whether what goes in and comes out of a tool stays out of traces. */
    public boolean isConfidential(String name) {
        return catalog.find(name)
                .map(tool -> tool.spec().confidentiality() == Confidentiality.CONFIDENTIAL)
                .orElse(false);
    }

    /** The canonical name behind a name or alias. */
    public String of(String name) {
        return catalog.find(name).map(tool -> tool.spec().name()).orElse(UNKNOWN);
    }
}
