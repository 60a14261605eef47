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
     * @param inputSchema the JSON Schema of its arguments, as whoever registered it wrote it
     * @throws IllegalArgumentException if the schema cannot be used
     */
    public static ExternalTool of(
            String name, String description, ObjectNode inputSchema, String capability, Danger danger) {
        // Nobody here knows what it does, so it counts as changing something even where it is said to be safe.
        ToolSpec<ObjectNode> changing = ToolSpec.of(
                        name, ArgumentType.json(inputSchema), Category.EXTERNAL, capability, description)
                .changing();
        return new ExternalTool(
                switch (danger) {
                    case SAFE -> changing;
                    case DANGEROUS -> changing.dangerous();
                });
    }

    /** A tool that nobody has registered: any arguments, and always dangerous. */
    public static ExternalTool unregistered(String name) {
        return of(
                name,
                "A tool that nobody has registered",
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
