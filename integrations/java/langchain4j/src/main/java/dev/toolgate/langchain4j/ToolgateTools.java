package dev.toolgate.langchain4j;

import dev.langchain4j.agent.tool.CompensateFor;
import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.service.tool.AiServiceTool;
import dev.langchain4j.service.tool.ToolExecutor;
import dev.langchain4j.service.tool.ToolProvider;
import dev.langchain4j.service.tool.ToolProviderRequest;
import dev.langchain4j.service.tool.ToolProviderResult;
import dev.langchain4j.service.tool.ToolService;
import dev.toolgate.client.Toolgate;
import dev.toolgate.client.model.ExternalTool;
import dev.toolgate.client.model.Tool;
import dev.toolgate.client.tools.GatedTools;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The gate between a LangChain4j assistant and its tools. {@link #wrap(Object...)} puts the assistant's own tools under the
 * gate; as a {@link ToolProvider} it offers the tools that the gate runs.
 *
 * <pre>{@code
 * ToolgateTools gate = new ToolgateTools(Toolgate.fromEnvironment());
 * Assistant assistant = AiServices.builder(Assistant.class)
 *         .chatModel(model)
 *         .tools(gate.wrap(new ShopTools()))
 *         .toolProvider(gate)
 *         .build();
 * }</pre>
 */
public final class ToolgateTools implements ToolProvider {
    private static final String SOURCE = "toolgate-langchain4j/0.1.0";

    private final GatedTools tools;

    /** Tools for a model that acts as this client's agent. */
    public ToolgateTools(Toolgate toolgate) {
        this(GatedTools.of(toolgate));
    }

    /** Tools with settings of their own, such as how long to wait for an approval. */
    public ToolgateTools(GatedTools tools) {
        this.tools = tools.from(SOURCE);
    }

    /** The tools that the gate runs and the agent may use now. */
    @Override
    public ToolProviderResult provideTools(ToolProviderRequest request) {
        ToolProviderResult.Builder offered = ToolProviderResult.builder();
        for (Tool tool : tools.offered()) {
            offered.add(ToolSchemas.specification(tool), new GateRunExecutor(tools, tool.name()));
        }
        return offered.build();
    }

    /**
     * Puts tools under the gate: they run only with a permit, and their outcomes are recorded.
     *
     * @param objectsWithTools objects with methods annotated with {@code @Tool}, or {@link AiServiceTool}s
     * @return the same tools, for {@code AiServices.tools(List)}
     * @throws IllegalArgumentException if an object has compensating actions, which would run without a permit
     */
    public List<AiServiceTool> wrap(Object... objectsWithTools) {
        return found(objectsWithTools).stream().map(this::wrapped).toList();
    }

    /** Puts tools under the gate, for {@code AiServices.tools(Map)}. */
    public Map<ToolSpecification, ToolExecutor> wrap(Map<ToolSpecification, ToolExecutor> executors) {
        Map<ToolSpecification, ToolExecutor> wrapped = new LinkedHashMap<>();
        executors.forEach((specification, executor) ->
                wrapped.put(specification, GatedExecutor.around(executor, specification.name(), tools)));
        return wrapped;
    }

    /** Puts the tools of a provider under the gate, for example those of MCP servers. */
    public ToolProvider wrap(ToolProvider provider) {
        return provider instanceof ToolgateTools ? provider : new GatedProvider(provider);
    }

    /**
     * The definitions with which an operator registers tools at the gate, see
     * {@link dev.toolgate.client.ExternalTools#register}.
     *
     * @param objectsWithTools the same as for {@link #wrap(Object...)}
     */
    public static List<ExternalTool> definitions(Object... objectsWithTools) {
        return found(objectsWithTools).stream()
                .map(tool -> ToolSchemas.definition(tool.toolSpecification()))
                .toList();
    }

    private AiServiceTool wrapped(AiServiceTool tool) {
        return tool.toBuilder()
                .toolExecutor(GatedExecutor.around(tool.toolExecutor(), tool.name(), tools))
                .build();
    }

    /** Finds annotated methods in the same way as AiServices, so that wrapped tools do not differ from others. */
    private static List<AiServiceTool> found(Object... objectsWithTools) {
        List<AiServiceTool> found = new ArrayList<>();
        for (Object object : objectsWithTools) {
            if (object instanceof AiServiceTool tool) {
                found.add(tool);
            } else {
                refuseCompensation(object.getClass());
                found.addAll(ToolService.findTools(object));
            }
        }
        return found;
    }

    private static void refuseCompensation(Class<?> type) {
        for (Class<?> each = type; each != null; each = each.getSuperclass()) {
            for (Method method : each.getDeclaredMethods()) {
                if (method.isAnnotationPresent(CompensateFor.class)) {
                    throw new IllegalArgumentException("Method '" + method.getName() + "' of " + each.getName()
                            + " is a compensating action, which LangChain4j runs without asking. Make it a"
                            + " tool instead.");
                }
            }
        }
    }

    private final class GatedProvider implements ToolProvider {
        private final ToolProvider provider;

        private GatedProvider(ToolProvider provider) {
            this.provider = provider;
        }

        @Override
        public ToolProviderResult provideTools(ToolProviderRequest request) {
            ToolProviderResult provided = provider.provideTools(request);
            return provided == null // allowed for providers without tools
                    ? ToolProviderResult.builder().build()
                    : new ToolProviderResult(provided.aiServiceTools().stream()
                            .map(ToolgateTools.this::wrapped)
                            .toList());
        }

        @Override
        public boolean isDynamic() {
            return provider.isDynamic();
        }
    }
}
