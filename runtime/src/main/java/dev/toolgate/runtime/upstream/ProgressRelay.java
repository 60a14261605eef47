package dev.toolgate.runtime.upstream;

import dev.toolgate.core.call.Progress;
import dev.toolgate.core.tool.ToolContext;
import dev.toolgate.mcp.client.ProgressListener;
import dev.toolgate.mcp.protocol.ProgressUpdate;
import tools.jackson.databind.node.ObjectNode;

/** Passes a server's progress on to the caller. */
record ProgressRelay(ToolContext context) implements ProgressListener {
    @Override
    public void progressed(ObjectNode params) {
        ProgressUpdate update = ProgressUpdate.read(params);
        if (update != null) {
            context.report(new Progress(update.progress(), update.total(), update.message()));
        }
    }
}
