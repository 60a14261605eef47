package dev.toolgate.springai;

import dev.toolgate.client.Toolgate;
import dev.toolgate.client.model.ExternalTool;
import dev.toolgate.client.model.Tool;
import dev.toolgate.client.tools.GatedTools;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.springframework.ai.tool.ToolCallback;
import org.springframework.ai.tool.ToolCallbackProvider;
import org.springframework.ai.tool.definition.ToolDefinition;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/**
 * The tools that the gate runs, for {@code ChatClient.Builder.defaultTools}. {@link #wrap} puts single tools of the
 * application under the gate, for those who do not use {@link GatedToolCallingManager}.
 */
public final class ToolgateToolCallbacks implements ToolCallbackProvider {
    static final String SOURCE = "toolgate-spring-ai/0.1.0";

    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final TypeReference<Map<String, Object>> OBJECT = new TypeReference<>() {};

    private final GatedTools tools;

    /** Tools for a model that acts as this client's agent. */
    public ToolgateToolCallbacks(Toolgate toolgate) {
        this(GatedTools.of(toolgate));
    }

    /** Tools with settings of their own, such as how long to wait for an approval. */
    public ToolgateToolCallbacks(GatedTools tools) {
        this.tools = tools.from(SOURCE);
    }

    /** The tools that the gate runs and the agent may use now. */
    @Override
    public ToolCallback[] getToolCallbacks() {
        return tools.offered().stream().map(this::offered).toArray(ToolCallback[]::new);
    }

    /** Puts tools under the gate: they run only with a permit, and their outcomes are recorded, without a call's id. */
    public ToolCallback[] wrap(ToolCallback... callbacks) {
        return Arrays.stream(callbacks)
                .map(callback -> GatedToolCallback.around(callback, tools))
                .toArray(ToolCallback[]::new);
    }

    /**
     * The definitions with which an operator registers tools at the gate, see
     * {@link dev.toolgate.client.ExternalTools#register}.
     */
    public static List<ExternalTool> definitions(ToolCallback... callbacks) {
        return Arrays.stream(callbacks)
                .map(ToolCallback::getToolDefinition)
                .map(definition -> ExternalTool.of(
                        definition.name(), definition.description(), JSON.readValue(definition.inputSchema(), OBJECT)))
                .toList();
    }

    private ToolCallback offered(Tool tool) {
        ToolDefinition definition = ToolDefinition.builder()
                .name(tool.name())
                .description(tool.description())
                .inputSchema(JSON.writeValueAsString(tool.inputSchema()))
                .build();
        return new GateRunToolCallback(definition, tools);
    }
}
