package dev.toolgate.integrations;

import java.util.Arrays;
import java.util.List;
import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.messages.ToolResponseMessage;
import org.springframework.ai.chat.messages.ToolResponseMessage.ToolResponse;
import org.springframework.ai.chat.model.ChatModel;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.model.Generation;
import org.springframework.ai.chat.prompt.ChatOptions;
import org.springframework.ai.chat.prompt.Prompt;
import org.springframework.ai.model.tool.ToolCallingChatOptions;

/** Makes its calls, then notes what it is told about them. */
final class ScriptedSpringModel implements ChatModel {
    private List<WantedCall> calls = List.of();
    private List<String> offered = List.of();
    private List<ToolResponse> results = List.of();

    void script(WantedCall... wanted) {
        calls = Arrays.asList(wanted);
    }

    /** What the model was told about its calls, in their order. */
    List<ToolResponse> results() {
        return results;
    }

    /** The tools that the model was offered. */
    List<String> offered() {
        return offered;
    }

    @Override
    public ChatResponse call(Prompt prompt) {
        offered = prompt.getOptions() instanceof ToolCallingChatOptions options && options.getToolCallbacks() != null
                ? options.getToolCallbacks().stream()
                        .map(tool -> tool.getToolDefinition().name())
                        .toList()
                : List.of();
        results = prompt.getInstructions().stream()
                .filter(ToolResponseMessage.class::isInstance)
                .flatMap(message -> ((ToolResponseMessage) message).getResponses().stream())
                .toList();
        AssistantMessage answer = results.isEmpty()
                ? AssistantMessage.builder()
                        .toolCalls(calls.stream().map(WantedCall::forSpring).toList())
                        .build()
                : new AssistantMessage("done");
        return new ChatResponse(List.of(new Generation(answer)));
    }

    @Override
    public ChatOptions getOptions() {
        return ToolCallingChatOptions.builder().build();
    }
}
