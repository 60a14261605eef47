package dev.toolgate.langchain4j;

import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.data.message.Content;
import dev.langchain4j.data.message.TextContent;
import dev.langchain4j.invocation.InvocationContext;
import dev.langchain4j.service.tool.ToolExecutionResult;
import dev.langchain4j.service.tool.ToolExecutor;
import dev.toolgate.client.tools.GatedTools;
import dev.toolgate.client.tools.ModelCall;
import dev.toolgate.client.tools.ToolRun;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Collectors;

/** A tool of the assistant that runs only with a permit, under the name by which the assistant knows it. */
final class GatedExecutor implements ToolExecutor {
    private final ToolExecutor tool;
    private final String name;
    private final GatedTools tools;

    private GatedExecutor(ToolExecutor tool, String name, GatedTools tools) {
        this.tool = tool;
        this.name = name;
        this.tools = tools;
    }

    /** A tool that is under the gate already stays as it is: one run needs one permit. */
    static ToolExecutor around(ToolExecutor tool, String name, GatedTools tools) {
        return tool instanceof GatedExecutor || tool instanceof GateRunExecutor
                ? tool
                : new GatedExecutor(tool, name, tools);
    }

    @Override
    public String execute(ToolExecutionRequest request, Object memoryId) {
        return executeWithContext(
                        request,
                        InvocationContext.builder().chatMemoryId(memoryId).build())
                .resultText();
    }

    @Override
    public ToolExecutionResult executeWithContext(ToolExecutionRequest request, InvocationContext context) {
        return tools.run(
                        new ModelCall(request.id(), name, request.arguments()),
                        arguments -> ran(tool.executeWithContext(
                                request.toBuilder().arguments(arguments).build(), context)))
                .map(Function.identity(), GatedExecutor::error);
    }

    /** As an error, so that the model sees it even if the tool's results are returned without asking the model. */
    static ToolExecutionResult error(String message) {
        return ToolExecutionResult.builder().isError(true).resultText(message).build();
    }

    /** Converts the result to text here, because that may fail, too. */
    private static ToolRun<ToolExecutionResult> ran(ToolExecutionResult result) {
        String text = result.resultContents().stream().map(GatedExecutor::text).collect(Collectors.joining("\n"));
        if (!result.isError()) {
            return ToolRun.succeeded(result, text);
        }
        return ToolRun.failed(result, text.isBlank() ? "The tool reports a failure." : text);
    }

    private static String text(Content content) {
        return content instanceof TextContent text
                ? text.text()
                : "[" + content.type().name().toLowerCase(Locale.ROOT) + "]";
    }
}
