package dev.toolgate.integrations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.toolgate.client.Toolgate;
import dev.toolgate.client.model.ExternalTool;
import dev.toolgate.client.testing.MockCall;
import dev.toolgate.client.testing.MockToolgate;
import dev.toolgate.client.tools.GatedTools;
import dev.toolgate.springai.GatedToolCallingManager;
import dev.toolgate.springai.ToolgateToolCallbacks;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.ai.chat.client.ChatClient;
import org.springframework.ai.chat.model.ChatModel;
import org.springframework.ai.model.chat.client.autoconfigure.ChatClientAutoConfiguration;
import org.springframework.ai.model.tool.ToolCallingManager;
import org.springframework.ai.model.tool.autoconfigure.ToolCallingAutoConfiguration;
import org.springframework.ai.support.ToolCallbacks;
import org.springframework.ai.tool.ToolCallback;
import org.springframework.ai.tool.function.FunctionToolCallback;
import org.springframework.ai.tool.metadata.ToolMetadata;
import org.springframework.ai.tool.resolution.StaticToolCallbackResolver;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** What only Spring AI does, with a gate of this process. */
class SpringAiTest {
    private final MockToolgate mock = MockToolgate.start(Map.of("agent", List.of("ship"), "stranger", List.of()));
    private final AtomicInteger runs = new AtomicInteger();
    private final ToolCallback ship = ship(ToolMetadata.builder().build());

    @AfterEach
    void stop() {
        mock.close();
    }

    private ToolCallback ship(ToolMetadata metadata) {
        Supplier<String> work = () -> "Shipped " + runs.incrementAndGet();
        return FunctionToolCallback.builder("ship", work)
                .description("Ships.")
                .toolMetadata(metadata)
                .build();
    }

    private GatedTools gate(String agent) {
        return GatedTools.of(mock.client(agent));
    }

    private List<String> outcomes() {
        return mock.calls().stream().map(MockCall::outcome).toList();
    }

    @Test
    void a_denial_reaches_the_model_even_if_results_are_returned_directly() {
        ToolCallback direct = ship(ToolMetadata.builder().returnDirect(true).build());
        SpringAssistant denied = SpringAssistant.of(gate("stranger")).withOwnTools(direct);
        SpringAssistant allowed = SpringAssistant.of(gate("agent")).withOwnTools(direct);

        assertThat(denied.told(new WantedCall("1", "ship", "{}")))
                .singleElement()
                .asString()
                .startsWith("'ship' was not run.");
        assertThat(runs).hasValue(0);
        assertThat(allowed.answer(new WantedCall("1", "ship", ""))).contains("Shipped 1");
    }

    @Test
    void a_tool_that_is_only_found_by_its_name_does_not_run() {
        ToolCallingManager finding = ToolCallingManager.builder()
                .toolCallbackResolver(new StaticToolCallbackResolver(List.of(ship)))
                .resolutionFallbackEnabled(true)
                .build();
        SpringAssistant assistant =
                SpringAssistant.around(gate("stranger"), finding).withOwnTools(new Deployments());

        assertThatThrownBy(() -> assistant.told(new WantedCall("1", "ship", "{}")))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("'ship'");
        assertThat(runs).hasValue(0);
    }

    @Test
    void a_wrapped_tool_needs_one_permit_with_and_without_the_manager() {
        ToolCallback wrapped = new ToolgateToolCallbacks(gate("agent")).wrap(ship)[0];

        assertThat(wrapped.call("{}")).contains("Shipped 1");
        SpringAssistant.of(gate("agent")).withOwnTools(wrapped).told(new WantedCall("1", "ship", "{}"));

        assertThat(outcomes()).containsExactly("authorized", "completed", "authorized", "completed");
        assertThat(new ToolgateToolCallbacks(gate("stranger")).wrap(ship)[0].call("{}"))
                .startsWith("'ship' was not run.");
        assertThat(runs).hasValue(2);
    }

    @Test
    void definitions_are_those_of_the_callbacks() {
        ExternalTool deploy = ToolgateToolCallbacks.definitions(ToolCallbacks.from(new Deployments()))
                .getFirst();

        assertThat(deploy.name()).isEqualTo("deploy");
        assertThat(deploy.description()).isEqualTo("Deploys the services to a host.");
        assertThat(deploy.inputSchema()).containsEntry("type", "object").containsEntry("required", List.of("host"));
    }

    @Configuration
    static class Application {
        @Bean
        ToolCallingManager toolCallingManager(Toolgate toolgate) {
            return new GatedToolCallingManager(toolgate);
        }
    }

    @Test
    void one_bean_puts_the_chat_client_of_spring_boot_under_the_gate() {
        ScriptedSpringModel model = new ScriptedSpringModel();
        model.script(new WantedCall("1", "ship", "{}"));
        try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext()) {
            context.registerBean(ChatModel.class, () -> model);
            context.registerBean(Toolgate.class, () -> mock.client("stranger"));
            context.register(Application.class);
            context.register(AutoConfigurations.getClasses(
                    AutoConfigurations.of(ToolCallingAutoConfiguration.class, ChatClientAutoConfiguration.class)));
            context.refresh();

            context.getBean(ChatClient.Builder.class)
                    .build()
                    .prompt("go")
                    .tools(ship)
                    .call()
                    .content();
        }
        assertThat(model.results()).singleElement().satisfies(result -> assertThat(result.responseData())
                .startsWith("'ship' was not run."));
        assertThat(runs).hasValue(0);
    }
}
