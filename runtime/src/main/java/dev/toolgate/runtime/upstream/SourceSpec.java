package dev.toolgate.runtime.upstream;

import dev.toolgate.core.json.Json;
import dev.toolgate.core.tool.ArgumentType;
import dev.toolgate.core.tool.Category;
import dev.toolgate.core.tool.ToolSpec;
import dev.toolgate.mcp.client.transport.CallTimeout;
import java.time.Duration;
import tools.jackson.databind.node.ObjectNode;

/** The specification of the tools for a server's prompts and resources, and the time limits of a server. */
final class SourceSpec {
    private static final Duration MAX_TIME = Duration.ofMinutes(10);

    private SourceSpec() {}

    static ToolSpec<ObjectNode> of(UpstreamSettings settings, String name, String description, String schema) {
        return ToolSpec.of(
                        settings.name() + "/" + name,
                        ArgumentType.json((ObjectNode) Json.MAPPER.readTree(schema)),
                        Category.MCP,
                        settings.capability(),
                        description)
                .sending()
                .within(UpstreamCall.pipelineLimit(timeout(settings)));
    }

    /** The time limits of requests that have none of their own. */
    static CallTimeout timeout(UpstreamSettings settings) {
        Duration idle = settings.timeout();
        return new CallTimeout(idle, idle.compareTo(MAX_TIME) > 0 ? idle : MAX_TIME);
    }
}
