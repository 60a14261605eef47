package dev.toolgate.springai;

import dev.toolgate.client.tools.GatedTools;
import dev.toolgate.client.tools.ModelCall;
import dev.toolgate.client.tools.ToolRun;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.ai.chat.model.ToolContext;
import org.springframework.ai.tool.ToolCallback;
import org.springframework.ai.tool.definition.ToolDefinition;
import org.springframework.ai.tool.metadata.ToolMetadata;

/** A tool of the application that runs only with a permit. */
final class GatedToolCallback implements ToolCallback {
    private final ToolCallback tool;
    private final GatedTools tools;
    private final CallIds ids;
    private final Runnable withoutOutput;

    private GatedToolCallback(ToolCallback tool, GatedTools tools, CallIds ids, Runnable withoutOutput) {
        this.tool = tool;
        this.tools = tools;
        this.ids = ids;
        this.withoutOutput = withoutOutput;
    }

    /** A tool without call ids, for applications that call it directly. */
    static ToolCallback around(ToolCallback tool, GatedTools tools) {
        return around(tool, tools, new CallIds(List.of()), () -> {});
    }

    /**
     * A tool under the gate, once even if it is already: one run needs one permit.
     *
     * @param withoutOutput runs when a call is answered without an output of the tool
     */
    static ToolCallback around(ToolCallback tool, GatedTools tools, CallIds ids, Runnable withoutOutput) {
        if (tool instanceof GateRunToolCallback) {
            return tool;
        }
        return tool instanceof GatedToolCallback gated
                ? new GatedToolCallback(gated.tool, gated.tools, ids, withoutOutput)
                : new GatedToolCallback(tool, tools, ids, withoutOutput);
    }

    @Override
    public ToolDefinition getToolDefinition() {
        return tool.getToolDefinition();
    }

    @Override
    public ToolMetadata getToolMetadata() {
        return tool.getToolMetadata();
    }

    @Override
    public String call(String toolInput) {
        return call(toolInput, null);
    }

    @Override
    public String call(String toolInput, @Nullable ToolContext toolContext) {
        String name = getToolDefinition().name();
        return tools.run(new ModelCall(ids.next(name, toolInput), name, toolInput), arguments -> {
                    String output = tool.call(arguments, toolContext);
                    return ToolRun.succeeded(output, output);
                })
                .map(Function.identity(), message -> {
                    withoutOutput.run();
                    return message;
                });
    }
}
