package dev.toolgate.runtime.upstream;

import dev.toolgate.core.call.Output;
import dev.toolgate.core.tool.ResourceSource;
import dev.toolgate.core.tool.ToolContext;
import dev.toolgate.core.tool.ToolFailure;
import dev.toolgate.core.tool.ToolSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** Reads the resources of an MCP server, as the tool {@code server/resources}. */
public final class UpstreamResources implements ResourceSource {
    private final Upstream upstream;
    private final ToolSpec<ObjectNode> spec;

    public UpstreamResources(Upstream upstream) {
        this.upstream = upstream;
        this.spec = SourceSpec.of(
                upstream.settings(),
                "resources",
                "Read a resource of the MCP server '" + upstream.settings().name() + "'",
                """
                {"type": "object", "properties": {"uri": {"type": "string"}, "ref": {"type": "object"},
                 "argument": {"type": "object"}, "context": {"type": "object"}},
                 "anyOf": [{"required": ["uri"]}, {"required": ["ref", "argument"]}]}""");
    }

    @Override
    public ToolSpec<ObjectNode> spec() {
        return spec;
    }

    @Override
    public List<ObjectNode> known() {
        List<ObjectNode> known = new ArrayList<>(upstream.resources().getIfKnown());
        known.addAll(upstream.resourceTemplates().getIfKnown());
        return known;
    }

    @Override
    public List<ObjectNode> resources() throws InterruptedException {
        return upstream.resources().get();
    }

    @Override
    public List<ObjectNode> templates() throws InterruptedException {
        return upstream.resourceTemplates().get();
    }

    @Override
    public Output call(ObjectNode params, ToolContext context) throws ToolFailure, InterruptedException {
        UpstreamCall call = new UpstreamCall(upstream, spec.name(), SourceSpec.timeout(upstream.settings()));
        return Output.of(
                "",
                call.send(
                        context,
                        options -> params.has("ref")
                                ? upstream.complete(params, options)
                                : upstream.readResource(params.path("uri").asString(""), options)));
    }

    @Override
    public @Nullable Subscription subscribe(String uri, Consumer<String> changed) {
        return upstream.subscribe(uri, changed);
    }
}
