package dev.toolgate.integrations.guide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.client.Toolgate;
import dev.toolgate.client.model.AuditRecord;
import dev.toolgate.client.model.ExternalTool;
import dev.toolgate.client.model.Grant;
import dev.toolgate.client.tools.GatedTools;
import dev.toolgate.integrations.SharedGate;
import dev.toolgate.springai.GatedToolCallingManager;
import dev.toolgate.springai.ToolgateToolCallbacks;
import io.micrometer.observation.ObservationRegistry;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.ai.chat.client.ChatClient;
import org.springframework.ai.chat.client.advisor.ToolCallingAdvisor;
import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.messages.Message;
import org.springframework.ai.chat.messages.ToolResponseMessage;
import org.springframework.ai.chat.model.ChatModel;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.model.Generation;
import org.springframework.ai.chat.prompt.ChatOptions;
import org.springframework.ai.chat.prompt.Prompt;
import org.springframework.ai.model.tool.ToolCallingChatOptions;
import org.springframework.ai.model.tool.ToolCallingManager;
import org.springframework.ai.support.ToolCallbacks;
import org.springframework.ai.tool.annotation.Tool;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The code of docs/guides/spring-ai.md and of the adapter's README. */
@ExtendWith(SharedGate.class)
@Timeout(120)
class SpringAiGuideTest {
    static class InvoiceTools {
        @Tool(description = "Cancels an invoice.")
        String cancel(String invoice, String reason) {
            return "Cancelled " + invoice + ": " + reason;
        }
    }

    @Configuration
    static class GateConfiguration {
        @Bean
        ToolCallingManager toolCallingManager(Toolgate toolgate) {
            return new GatedToolCallingManager(toolgate);
        }
    }

    /** Cancels the invoice that the user names, and repeats what it is told. */
    private static final class CancellingModel implements ChatModel {
        @Override
        public ChatResponse call(Prompt prompt) {
            Message last = prompt.getInstructions().getLast();
            AssistantMessage answer = last instanceof ToolResponseMessage results
                    ? new AssistantMessage(results.getResponses().getFirst().responseData())
                    : AssistantMessage.builder()
                            .toolCalls(List.of(new AssistantMessage.ToolCall(
                                    "call_1",
                                    "function",
                                    "cancel",
                                    "{\"invoice\": \""
                                            + Objects.requireNonNull(last.getText())
                                                    .replace("Cancel ", "") + "\", \"reason\": \"sent twice\"}")))
                            .build();
            return new ChatResponse(List.of(new Generation(answer)));
        }

        @Override
        public ChatOptions getOptions() {
            return ToolCallingChatOptions.builder().build();
        }
    }

    private final ChatModel model = new CancellingModel();
    private final Toolgate toolgate = SharedGate.client("accounting").build();

    @BeforeAll
    static void prepare() {
        Toolgate admin = SharedGate.admin();
        for (ExternalTool tool : ToolgateToolCallbacks.definitions(ToolCallbacks.from(new InvoiceTools()))) {
            admin.externalTools().register(tool.withCapability("Invoices.Cancel"));
        }
        admin.permissions().allow("accounting", "cancel", Grant.allowed().onlyIf("params.invoice.startsWith('2026-')"));
        admin.permissions().allow("accounting", "file_list");
    }

    private ChatClient client(ToolCallingManager manager) {
        ChatClient client = ChatClient.builder(
                        model,
                        ObservationRegistry.NOOP,
                        null,
                        null,
                        ToolCallingAdvisor.builder().toolCallingManager(manager))
                .defaultTools(new InvoiceTools(), new ToolgateToolCallbacks(toolgate))
                .build();
        return client;
    }

    @Test
    void the_client_cancels_what_it_may() throws IOException {
        try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext()) {
            context.registerBean(Toolgate.class, () -> toolgate);
            context.register(GateConfiguration.class);
            context.refresh();
            ChatClient client = client(context.getBean(ToolCallingManager.class));

            String allowed = client.prompt("Cancel 2026-17").call().content();
            String denied = client.prompt("Cancel 2025-03").call().content();

            String guide = Guide.text("docs/guides/spring-ai.md");
            assertThat(guide).contains(allowed).contains(denied);
        }
        assertThat(SharedGate.records("accounting", 2))
                .extracting(AuditRecord::status)
                .contains("COMPLETED", "REFUSED");
    }

    @Test
    void settings_and_tools_without_a_manager() {
        GatedTools settings =
                GatedTools.of(toolgate).waiting(Duration.ofMinutes(2)).expiringIn(Duration.ofMinutes(30));
        ToolCallingManager manager = new GatedToolCallingManager(
                settings, ToolCallingManager.builder().build());

        assertThat(client(manager).prompt("Cancel 2026-18").call().content()).contains("Cancelled 2026-18");
    }
}
