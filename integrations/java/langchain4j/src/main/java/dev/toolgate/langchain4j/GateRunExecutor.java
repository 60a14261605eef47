package dev.toolgate.langchain4j;

import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.invocation.InvocationContext;
import dev.langchain4j.service.tool.ToolExecutionResult;
import dev.langchain4j.service.tool.ToolExecutor;
import dev.toolgate.client.model.ToolResult;
import dev.toolgate.client.tools.GatedTools;
import dev.toolgate.client.tools.ModelCall;

/** A tool that the gate runs. */
final class GateRunExecutor implements ToolExecutor {
    private final GatedTools tools;
    private final String name;

    GateRunExecutor(GatedTools tools, String name) {
        this.tools = tools;
        this.name = name;
    }

    @Override
    public String execute(ToolExecutionRequest request, Object memoryId) {
        return result(request).resultText();
    }

    @Override
    public ToolExecutionResult executeWithContext(ToolExecutionRequest request, InvocationContext context) {
        return result(request);
    }

    private ToolExecutionResult result(ToolExecutionRequest request) {
        return tools.execute(new ModelCall(request.id(), name, request.arguments()))
                .map(GateRunExecutor::result, GatedExecutor::error);
    }

    private static ToolExecutionResult result(ToolResult output) {
        return ToolExecutionResult.builder()
                .isError(!output.success())
                .result(output)
                .resultText(output.data())
                .build();
    }
}
