package dev.toolgate.integrations;

import dev.toolgate.client.tools.GatedTools;
import dev.toolgate.springai.GatedToolCallingManager;
import dev.toolgate.springai.ToolgateToolCallbacks;
import io.micrometer.observation.ObservationRegistry;
import java.util.List;
import org.springframework.ai.chat.client.ChatClient;
import org.springframework.ai.chat.client.advisor.ToolCallingAdvisor;
import org.springframework.ai.chat.messages.ToolResponseMessage.ToolResponse;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.prompt.Prompt;
import org.springframework.ai.model.tool.ToolCallingChatOptions;
import org.springframework.ai.model.tool.ToolCallingManager;
import org.springframework.ai.model.tool.ToolExecutionResult;
import org.springframework.ai.tool.definition.ToolDefinition;
import org.springframework.ai.tool.execution.DefaultToolExecutionExceptionProcessor;

/** A Spring AI chat client with a scripted model. */
final class SpringAssistant {
    private final GatedTools settings;
    private final ToolCallingManager manager;
    private final Object tools;
    private final ScriptedSpringModel model = new ScriptedSpringModel();

    private SpringAssistant(GatedTools settings, ToolCallingManager manager, Object tools) {
        this.settings = settings;
        this.manager = manager;
        this.tools = tools;
    }

    static SpringAssistant of(GatedTools settings) {
        return around(settings, ToolCallingManager.builder().build());
    }

    /** With this manager inside the gated one. */
    static SpringAssistant around(GatedTools settings, ToolCallingManager delegate) {
        return new SpringAssistant(settings, new GatedToolCallingManager(settings, delegate), List.of());
    }

    /** A manager inside the gated one calls tools again if they fail. */
    static SpringAssistant retrying(GatedTools settings) {
        ToolCallingManager failing = ToolCallingManager.builder()
                .toolExecutionExceptionProcessor(new DefaultToolExecutionExceptionProcessor(true))
                .build();
        return around(settings, new Retrying(failing));
    }

    SpringAssistant withOwnTools(Object own) {
        return new SpringAssistant(settings, manager, own);
    }

    SpringAssistant withToolsOfTheGate() {
        return new SpringAssistant(settings, manager, new ToolgateToolCallbacks(settings));
    }

    List<String> told(WantedCall... calls) {
        answer(calls);
        return model.results().stream().map(ToolResponse::responseData).toList();
    }

    /** The final answer that the application gets. */
    String answer(WantedCall... calls) {
        model.script(calls);
        return ChatClient.builder(
                        model,
                        ObservationRegistry.NOOP,
                        null,
                        null,
                        ToolCallingAdvisor.builder().toolCallingManager(manager))
                .build()
                .prompt("go")
                .tools(tools)
                .call()
                .content();
    }

    List<String> offered() {
        return model.offered();
    }

    private record Retrying(ToolCallingManager manager) implements ToolCallingManager {
        @Override
        public List<ToolDefinition> resolveToolDefinitions(ToolCallingChatOptions chatOptions) {
            return manager.resolveToolDefinitions(chatOptions);
        }

        @Override
        public ToolExecutionResult executeToolCalls(Prompt prompt, ChatResponse chatResponse) {
            for (int attempt = 1; ; attempt++) {
                try {
                    return manager.executeToolCalls(prompt, chatResponse);
                } catch (RuntimeException failure) {
                    if (attempt == 3) {
                        throw failure;
                    }
                }
            }
        }
    }
}
