package dev.toolgate.server.door.agenthost;

import dev.toolgate.core.call.Output;
import dev.toolgate.core.schema.Param;
import dev.toolgate.core.tool.Category;
import dev.toolgate.core.tool.Tool;
import dev.toolgate.core.tool.ToolContext;
import dev.toolgate.core.tool.ToolSpec;

/** A tool with a slash in its name, like tools of MCP servers. */
final class SlashTool implements Tool<SlashTool.Arguments> {
    record Arguments(@Param("Anything") String text) {}

    @Override
    public ToolSpec<Arguments> spec() {
        return ToolSpec.of("files/open", Arguments.class, Category.EXEC, "Say.Something", "Open something");
    }

    @Override
    public Output call(Arguments arguments, ToolContext context) {
        return Output.text("opened");
    }
}
