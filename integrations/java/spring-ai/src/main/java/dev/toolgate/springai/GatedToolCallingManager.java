package dev.toolgate.springai;

import dev.toolgate.client.Toolgate;
import dev.toolgate.client.tools.GatedTools;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.prompt.Prompt;
import org.springframework.ai.model.tool.ToolCallingChatOptions;
import org.springframework.ai.model.tool.ToolCallingManager;
import org.springframework.ai.model.tool.ToolExecutionResult;
import org.springframework.ai.tool.ToolCallback;
import org.springframework.ai.tool.definition.ToolDefinition;

/**
 * Puts every tool of an application under the gate: as a bean it replaces Spring AI's own manager, and a tool runs only
 * with a permit. Tools that are not attached to the request, which another manager may resolve by name, do not run.
 *
 * <pre>{@code
 * @Bean
 * ToolCallingManager toolCallingManager(Toolgate toolgate) {
 *     return new GatedToolCallingManager(toolgate);
 * }
 * }</pre>
 */
public final class GatedToolCallingManager implements ToolCallingManager {
    private final GatedTools tools;
    private final ToolCallingManager delegate;

    /** A manager for a model that acts as this client's agent. */
    public GatedToolCallingManager(Toolgate toolgate) {
        this(GatedTools.of(toolgate), ToolCallingManager.builder().build());
    }

    /**
     * A manager around another one.
     *
     * @param tools settings, such as how long to wait for an approval
     * @param delegate calls the tools, which it must take from the options of the prompt
     */
    public GatedToolCallingManager(GatedTools tools, ToolCallingManager delegate) {
        this.tools = tools.from(ToolgateToolCallbacks.SOURCE);
        this.delegate = delegate;
    }

    @Override
    public List<ToolDefinition> resolveToolDefinitions(ToolCallingChatOptions chatOptions) {
        return delegate.resolveToolDefinitions(chatOptions);
    }

    @Override
    public ToolExecutionResult executeToolCalls(Prompt prompt, ChatResponse chatResponse) {
        List<AssistantMessage.ToolCall> calls = chatResponse.getResults().stream()
                .flatMap(generation -> generation.getOutput().getToolCalls().stream())
                .toList();
        List<ToolCallback> attached = attached(prompt);
        refuseUnattached(calls, attached);
        CallIds ids = new CallIds(calls);
        AtomicBoolean withoutOutput = new AtomicBoolean();
        List<ToolCallback> gated = attached.stream()
                .map(tool -> GatedToolCallback.around(tool, tools, ids, () -> withoutOutput.set(true)))
                .toList();
        ToolExecutionResult result = delegate.executeToolCalls(with(gated, prompt), chatResponse);
        // A refusal goes to the model, even if the results of the tool are returned directly.
        return withoutOutput.get()
                ? ToolExecutionResult.builder()
                        .conversationHistory(result.conversationHistory())
                        .returnDirect(false)
                        .build()
                : result;
    }

    private static List<ToolCallback> attached(Prompt prompt) {
        return prompt.getOptions() instanceof ToolCallingChatOptions options && options.getToolCallbacks() != null
                ? options.getToolCallbacks()
                : List.of();
    }

    private static void refuseUnattached(List<AssistantMessage.ToolCall> calls, List<ToolCallback> attached) {
        Set<String> names =
                attached.stream().map(tool -> tool.getToolDefinition().name()).collect(Collectors.toSet());
        for (AssistantMessage.ToolCall call : calls) {
            if (!names.contains(call.name())) {
                throw new IllegalStateException("The request has no tool '" + call.name()
                        + "'. Tools that are found by their names do not run behind the gate; attach it to the"
                        + " request.");
            }
        }
    }

    private static Prompt with(List<ToolCallback> gated, Prompt prompt) {
        if (!(prompt.getOptions() instanceof ToolCallingChatOptions options)) {
            return prompt; // It has no tools, and so no calls.
        }
        ToolCallingChatOptions changed = options.mutate().toolCallbacks(gated).build();
        if (!Objects.equals(changed.getToolCallbacks(), gated)) {
            throw new IllegalStateException(
                    "The options " + options.getClass().getName() + " do not let their tools be replaced.");
        }
        return new Prompt(prompt.getInstructions(), changed);
    }
}
