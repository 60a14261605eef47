package dev.toolgate.integrations.guide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.langchain4j.agent.tool.Tool;
import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.ToolExecutionResultMessage;
import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.service.AiServices;
import dev.langchain4j.service.tool.ToolProvider;
import dev.langchain4j.service.tool.ToolProviderResult;
import dev.toolgate.client.Toolgate;
import dev.toolgate.client.model.AuditRecord;
import dev.toolgate.client.model.ExternalTool;
import dev.toolgate.client.model.Grant;
import dev.toolgate.client.tools.GatedTools;
import dev.toolgate.integrations.SharedGate;
import dev.toolgate.langchain4j.ToolgateTools;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** The code of docs/guides/langchain4j.md and of the adapter's README. */
@ExtendWith(SharedGate.class)
@Timeout(120)
class LangChain4jGuideTest {
    static class OrderTools {
        @Tool("Refunds an order.")
        public String refund(String order, double amount) {
            return "Refunded " + amount + " for order " + order;
        }
    }

    interface Support {
        String answer(String question);
    }

    /** Asks for a refund of as much as the user says, and repeats what it is told. */
    private static final class RefundingModel implements ChatModel {
        private final List<String> offered = new ArrayList<>();

        @Override
        public ChatResponse doChat(ChatRequest request) {
            offered.addAll(request.toolSpecifications().stream()
                    .map(ToolSpecification::name)
                    .toList());
            String amount = request.messages().getFirst().toString().replaceAll("\\D", "");
            AiMessage answer = request.messages().getLast() instanceof ToolExecutionResultMessage result
                    ? AiMessage.from(result.text())
                    : AiMessage.from(ToolExecutionRequest.builder()
                            .id("call_" + amount)
                            .name("refund")
                            .arguments("{\"order\": \"A7\", \"amount\": " + amount + "}")
                            .build());
            return ChatResponse.builder().aiMessage(answer).build();
        }
    }

    private final RefundingModel model = new RefundingModel();
    private final Toolgate toolgate = SharedGate.client("support").build();

    @BeforeAll
    static void prepare() {
        Toolgate admin = SharedGate.admin();
        for (ExternalTool tool : ToolgateTools.definitions(new OrderTools())) {
            admin.externalTools().register(tool.withCapability("Orders.Refund"));
        }
        admin.permissions().allow("support", "refund", Grant.allowed().onlyIf("double(params.amount) <= 100.0"));
        admin.permissions().allow("support", "file_list");
    }

    @Test
    void the_assistant_refunds_what_it_may() throws IOException {
        ToolgateTools gate = new ToolgateTools(toolgate);
        Support support = AiServices.builder(Support.class)
                .chatModel(model)
                .tools(gate.wrap(new OrderTools()))
                .toolProvider(gate)
                .build();

        String allowed = support.answer("Refund 50");
        String denied = support.answer("Refund 500");

        assertThat(model.offered).containsOnly("refund", "file_list");
        String guide = Guide.text("docs/guides/langchain4j.md");
        assertThat(guide).contains(allowed).contains(denied);
        assertThat(SharedGate.records("support", 2))
                .extracting(AuditRecord::status)
                .contains("COMPLETED", "REFUSED");
    }

    @Test
    void tools_of_other_providers_and_settings() {
        ToolProvider mcpTools = request -> ToolProviderResult.builder().build();

        ToolgateTools gate = new ToolgateTools(
                GatedTools.of(toolgate).waiting(Duration.ofMinutes(2)).expiringIn(Duration.ofMinutes(30)));
        Support support = AiServices.builder(Support.class)
                .chatModel(model)
                .tools(gate.wrap(new OrderTools()))
                .toolProviders(gate.wrap(mcpTools), gate)
                .build();

        assertThat(support.answer("Refund 20")).startsWith("Refunded 20");
    }
}
