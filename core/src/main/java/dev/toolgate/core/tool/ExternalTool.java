package dev.toolgate.core.tool;

import dev.toolgate.core.call.Output;
import dev.toolgate.core.json.Json;
import tools.jackson.databind.node.ObjectNode;

/** A tool that its callers run themselves: the gate decides, gives a permit, and records the reported outcome. */
public final class ExternalTool implements Tool<ObjectNode> {
    /** The capability of external tools that name none. */
    public static final String DEFAULT_CAPABILITY = "External.Call";

    private final ToolSpec<ObjectNode> spec;

    private ExternalTool(ToolSpec<ObjectNode> spec) {
        this.spec = spec;
    }

    /**
     * A registered tool.
     *
     * @param inputSchema the JSON Schema of its arguments, as registered
     * @throws IllegalArgumentException if the schema cannot be used
     */
    public static ExternalTool of(
            String name, String description, ObjectNode inputSchema, String capability, Danger danger) {
        // The gate cannot know what it does, so it counts as changing something even if it is declared safe.
        ToolSpec<ObjectNode> changing = ToolSpec.of(
                        name, ArgumentType.json(inputSchema), Category.EXTERNAL, capability, description)
                .changing();
        return new ExternalTool(
                switch (danger) {
                    case SAFE -> changing;
                    case DANGEROUS -> changing.dangerous();
                });
    }

    /** An unregistered tool: takes any arguments and is always dangerous. */
    public static ExternalTool unregistered(String name) {
        return of(
                name,
                "An unregistered tool",
                Json.MAPPER.createObjectNode().put("type", "object"),
                DEFAULT_CAPABILITY,
                Danger.DANGEROUS);
    }

    @Override
    public ToolSpec<ObjectNode> spec() {
        return spec;
    }

    @Override
    public RunsAt runsAt() {
        return RunsAt.CLIENT;
    }

    @Override
    public Output call(ObjectNode arguments, ToolContext context) {
        throw new IllegalStateException("Tool '" + spec.name() + "' is run by its callers, never by the gate.");
    }
}
