package dev.toolgate.runtime.upstream;

import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * The tools of a server that can be offered; one that cannot be used does not affect the others.
 *
 * @param skipped the allowed tools that cannot be used
 */
public record UpstreamTools(List<UpstreamTool> tools, List<SkippedTool> skipped) {
    private static final Logger LOG = LoggerFactory.getLogger(UpstreamTools.class);

    /**
     * A tool that is not offered.
     *
     * @param tool the server's name for it
     * @param reason one sentence
     */
    public record SkippedTool(String tool, String reason) {}

    public UpstreamTools {
        tools = List.copyOf(tools);
        skipped = List.copyOf(skipped);
    }

    /** The tools among these definitions that the server's settings allow. */
    public static UpstreamTools of(Upstream upstream, List<ObjectNode> definitions) {
        List<UpstreamTool> tools = new ArrayList<>();
        List<SkippedTool> skipped = new ArrayList<>();
        for (ObjectNode definition : definitions) {
            String name = definition.path("name").asString("");
            if (!upstream.settings().allows(name)) {
                continue;
            }
            try {
                tools.add(UpstreamTool.of(upstream, definition));
            } catch (UnusableTool unusable) {
                LOG.warn(
                        "A tool of MCP server '{}' is left out: {}",
                        upstream.settings().name(),
                        unusable.reason());
                skipped.add(new SkippedTool(name, unusable.reason()));
            }
        }
        return new UpstreamTools(tools, skipped);
    }
}
