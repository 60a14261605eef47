package dev.toolgate.springai;

import dev.toolgate.client.model.ToolResult;
import dev.toolgate.client.tools.GatedTools;
import dev.toolgate.client.tools.ModelCall;
import java.util.function.Function;
import org.springframework.ai.tool.ToolCallback;
import org.springframework.ai.tool.definition.ToolDefinition;

/** A tool that the gate runs. */
final class GateRunToolCallback implements ToolCallback {
    private final ToolDefinition definition;
    private final GatedTools tools;

    GateRunToolCallback(ToolDefinition definition, GatedTools tools) {
        this.definition = definition;
        this.tools = tools;
    }

    @Override
    public ToolDefinition getToolDefinition() {
        return definition;
    }

    @Override
    public String call(String toolInput) {
        return tools.execute(new ModelCall(null, definition.name(), toolInput))
                .map(ToolResult::data, Function.identity());
    }
}
