package dev.toolgate.bench;

import dev.toolgate.core.call.Output;
import dev.toolgate.core.schema.Param;
import dev.toolgate.core.tool.Category;
import dev.toolgate.core.tool.Tool;
import dev.toolgate.core.tool.ToolContext;
import dev.toolgate.core.tool.ToolSpec;

/** A no-op tool, so that only the overhead of the pipeline is measured. */
public final class NoopTool implements Tool<NoopTool.Arguments> {
    public record Arguments(@Param("Anything") String text) {}

    private static final Output NOTHING = Output.text("");

    @Override
    public ToolSpec<Arguments> spec() {
        return SPEC;
    }

    private static final ToolSpec<Arguments> SPEC =
            ToolSpec.of("noop", Arguments.class, Category.EXEC, "Noop.Run", "Does nothing");

    @Override
    public Output call(Arguments arguments, ToolContext context) {
        return NOTHING;
    }
}
