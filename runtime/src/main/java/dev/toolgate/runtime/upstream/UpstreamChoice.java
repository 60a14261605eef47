package dev.toolgate.runtime.upstream;

import dev.toolgate.core.tool.ToolContext;
import dev.toolgate.core.tool.ToolFailure;

/** Selects the connection for a call: one shared by all callers, or that of the caller's own account. */
@FunctionalInterface
public interface UpstreamChoice {
    /**
     * The connection for a call.
     *
     * @param check whether the tool may be called over it
     */
    record Chosen(Upstream upstream, DefinitionCheck check) {}

    /**
     * @throws ToolFailure if there is none for the caller
     */
    Chosen of(ToolContext context) throws ToolFailure, InterruptedException;
}
