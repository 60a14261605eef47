package dev.toolgate.runtime.upstream;

import dev.toolgate.core.call.Output;
import dev.toolgate.core.json.Json;
import dev.toolgate.core.tool.PromptSource;
import dev.toolgate.core.tool.ToolContext;
import dev.toolgate.core.tool.ToolFailure;
import dev.toolgate.core.tool.ToolSpec;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/** Gets the prompts of an MCP server, as the tool {@code server/prompts}. */
public final class UpstreamPrompts implements PromptSource {
    private final Upstream upstream;
    private final ToolSpec<ObjectNode> spec;

    public UpstreamPrompts(Upstream upstream) {
        this.upstream = upstream;
        this.spec = SourceSpec.of(
                upstream.settings(),
                "prompts",
                "Get a prompt of the MCP server '" + upstream.settings().name() + "'",
                """
                {"type": "object", "properties": {"name": {"type": "string"}, "arguments": {"type": "object"},
                 "ref": {"type": "object"}, "argument": {"type": "object"}, "context": {"type": "object"}},
                 "anyOf": [{"required": ["name"]}, {"required": ["ref", "argument"]}]}""");
    }

    @Override
    public ToolSpec<ObjectNode> spec() {
        return spec;
    }

    @Override
    public String nameOf(String prompt) {
        return upstream.settings().nameOf(prompt);
    }

    @Override
    public List<ObjectNode> known() {
        return upstream.prompts().getIfKnown();
    }

    @Override
    public List<ObjectNode> prompts() throws InterruptedException {
        return upstream.prompts().get();
    }

    @Override
    public Output call(ObjectNode params, ToolContext context) throws ToolFailure, InterruptedException {
        ObjectNode arguments =
                params.path("arguments") instanceof ObjectNode given ? given : Json.MAPPER.createObjectNode();
        UpstreamCall call = new UpstreamCall(upstream, spec.name(), SourceSpec.timeout(upstream.settings()));
        return Output.of(
                "",
                call.send(
                        context,
                        options -> params.has("ref")
                                ? upstream.complete(params, options)
                                : upstream.getPrompt(params.path("name").asString(""), arguments, options)));
    }
}
