package dev.toolgate.integrations;

import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.ToolExecutionResultMessage;
import dev.langchain4j.invocation.InvocationContext;
import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.service.AiServices;
import dev.langchain4j.service.tool.AiServiceTool;
import dev.langchain4j.service.tool.ToolExecutionResult;
import dev.langchain4j.service.tool.ToolExecutor;
import dev.toolgate.client.tools.GatedTools;
import dev.toolgate.langchain4j.ToolgateTools;
import java.util.List;
import java.util.function.UnaryOperator;

/** A LangChain4j assistant with a scripted model; calls that are made at once run concurrently. */
final class LangChain4jAssistant {
    private final ToolgateTools gate;
    private final UnaryOperator<AiServices<Chat>> tools;
    private final ScriptedModel model = new ScriptedModel();

    private LangChain4jAssistant(ToolgateTools gate, UnaryOperator<AiServices<Chat>> tools) {
        this.gate = gate;
        this.tools = tools;
    }

    static LangChain4jAssistant of(GatedTools settings) {
        return new LangChain4jAssistant(new ToolgateTools(settings), UnaryOperator.identity());
    }

    LangChain4jAssistant with(UnaryOperator<AiServices<Chat>> configuration) {
        return new LangChain4jAssistant(gate, configuration);
    }

    LangChain4jAssistant withOwnTools(Object own) {
        return with(services -> services.tools(gate.wrap(own)));
    }

    LangChain4jAssistant withToolsOfTheGate() {
        return with(services -> services.toolProvider(gate));
    }

    LangChain4jAssistant withRetriedTools(Object own) {
        List<AiServiceTool> retried = gate.wrap(own).stream()
                .map(tool -> tool.toBuilder()
                        .toolExecutor(new Retrying(tool.toolExecutor()))
                        .build())
                .toList();
        return with(services -> services.tools(retried));
    }

    ToolgateTools gate() {
        return gate;
    }

    List<String> told(WantedCall... calls) {
        model.calls = List.of(calls);
        tools.apply(AiServices.builder(Chat.class).chatModel(model).executeToolsConcurrently())
                .build()
                .answer("go");
        return model.results.stream().map(ToolExecutionResultMessage::text).toList();
    }

    /** The results as the model saw them. */
    List<ToolExecutionResultMessage> results() {
        return model.results;
    }

    List<String> offered() {
        return model.offered.stream().map(ToolSpecification::name).toList();
    }

    interface Chat {
        String answer(String question);
    }

    /** Makes its calls, then notes what it is told about them. */
    private static final class ScriptedModel implements ChatModel {
        private List<WantedCall> calls = List.of();
        private List<ToolSpecification> offered = List.of();
        private List<ToolExecutionResultMessage> results = List.of();

        @Override
        public ChatResponse doChat(ChatRequest request) {
            offered = request.toolSpecifications();
            results = request.messages().stream()
                    .filter(ToolExecutionResultMessage.class::isInstance)
                    .map(ToolExecutionResultMessage.class::cast)
                    .toList();
            AiMessage answer = results.isEmpty()
                    ? AiMessage.from(
                            calls.stream().map(WantedCall::forLangChain4j).toList())
                    : AiMessage.from("done");
            return ChatResponse.builder().aiMessage(answer).build();
        }
    }

    private record Retrying(ToolExecutor tool) implements ToolExecutor {
        @Override
        public String execute(ToolExecutionRequest request, Object memoryId) {
            throw new UnsupportedOperationException("assistants call with a context");
        }

        @Override
        public ToolExecutionResult executeWithContext(ToolExecutionRequest request, InvocationContext context) {
            for (int attempt = 1; ; attempt++) {
                try {
                    return tool.executeWithContext(request, context);
                } catch (RuntimeException failure) {
                    if (attempt == 3) {
                        throw failure;
                    }
                }
            }
        }
    }
}
