package dev.toolgate.integrations;

import dev.langchain4j.agent.tool.ToolExecutionRequest;
import org.springframework.ai.chat.messages.AssistantMessage;

/** A call that a scripted model makes. */
record WantedCall(String id, String tool, String arguments) {
    static WantedCall deploy(String id, String host) {
        return new WantedCall(id, "deploy", "{\"host\":\"" + host + "\"}");
    }

    ToolExecutionRequest forLangChain4j() {
        return ToolExecutionRequest.builder()
                .id(id)
                .name(tool)
                .arguments(arguments)
                .build();
    }

    AssistantMessage.ToolCall forSpring() {
        return new AssistantMessage.ToolCall(id, "function", tool, arguments);
    }
}
