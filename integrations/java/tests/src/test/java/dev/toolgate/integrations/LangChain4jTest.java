package dev.toolgate.integrations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.langchain4j.agent.tool.CompensateFor;
import dev.langchain4j.agent.tool.ReturnBehavior;
import dev.langchain4j.agent.tool.Tool;
import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.invocation.InvocationContext;
import dev.langchain4j.service.tool.ToolExecutionResult;
import dev.langchain4j.service.tool.ToolExecutor;
import dev.langchain4j.service.tool.ToolProviderResult;
import dev.toolgate.client.model.ExternalTool;
import dev.toolgate.client.testing.MockCall;
import dev.toolgate.client.testing.MockToolgate;
import dev.toolgate.client.tools.GatedTools;
import dev.toolgate.langchain4j.ToolgateTools;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What only LangChain4j does, with a gate of this process. */
class LangChain4jTest {
    private static final ToolSpecification SHIP =
            ToolSpecification.builder().name("ship").build();

    private final MockToolgate mock = MockToolgate.start(Map.of("agent", List.of("ship"), "stranger", List.of()));
    private final AtomicInteger runs = new AtomicInteger();

    @AfterEach
    void stop() {
        mock.close();
    }

    private LangChain4jAssistant assistant(String agent) {
        return LangChain4jAssistant.of(GatedTools.of(mock.client(agent)));
    }

    private List<String> outcomes() {
        return mock.calls().stream().map(MockCall::outcome).toList();
    }

    class Shipping {
        @Tool(name = "ship", returnBehavior = ReturnBehavior.IMMEDIATE)
        public String ship() {
            return "Shipped " + runs.incrementAndGet();
        }
    }

    static class WithCompensation extends Deployments {
        @CompensateFor("deploy")
        public void undeploy(String host) {
            throw new AssertionError(host);
        }
    }

    private record Returning(Supplier<ToolExecutionResult> result) implements ToolExecutor {
        @Override
        public String execute(ToolExecutionRequest request, Object memoryId) {
            return result.get().resultText();
        }

        @Override
        public ToolExecutionResult executeWithContext(ToolExecutionRequest request, InvocationContext context) {
            return result.get();
        }
    }

    @Test
    void a_denial_reaches_the_model_even_if_results_are_returned_at_once() {
        LangChain4jAssistant assistant = assistant("stranger").withOwnTools(new Shipping());

        assertThat(assistant.told(new WantedCall("1", "ship", "{}")))
                .singleElement()
                .asString()
                .startsWith("'ship' was not run.");
        assertThat(assistant.results()).allMatch(result -> result.isError());
        assertThat(runs).hasValue(0);
    }

    @Test
    void an_allowed_result_is_returned_at_once_as_without_the_gate() {
        LangChain4jAssistant assistant = assistant("agent").withOwnTools(new Shipping());

        assertThat(assistant.told(new WantedCall("1", "ship", "")))
                .as("the model is not asked again")
                .isEmpty();
        assertThat(runs).hasValue(1);
        assertThat(outcomes()).containsExactly("authorized", "completed");
    }

    @Test
    void a_tool_that_returns_an_error_is_reported_as_failed() {
        ToolExecutor failing = new Returning(() -> ToolExecutionResult.builder()
                .isError(true)
                .resultText("out of stock")
                .build());
        LangChain4jAssistant assistant = assistant("agent");

        List<String> told = assistant
                .with(services -> services.tools(assistant.gate().wrap(Map.of(SHIP, failing))))
                .told(new WantedCall("1", "ship", "{}"));

        assertThat(told).containsExactly("out of stock");
        assertThat(outcomes()).containsExactly("authorized", "failed");
    }

    @Test
    void an_output_that_cannot_be_written_is_reported_as_failed() {
        Supplier<String> text = () -> {
            throw new IllegalStateException("not JSON");
        };
        ToolExecutor unwritable = new Returning(
                () -> ToolExecutionResult.builder().resultTextSupplier(text).build());
        LangChain4jAssistant assistant = assistant("agent");

        assistant
                .with(services -> services.tools(assistant.gate().wrap(Map.of(SHIP, unwritable))))
                .told(new WantedCall("1", "ship", "{}"));

        assertThat(outcomes()).containsExactly("authorized", "failed");
    }

    @Test
    void the_tools_of_a_provider_are_under_the_gate() {
        ToolExecutor ship = (request, memoryId) -> "Shipped " + runs.incrementAndGet();
        LangChain4jAssistant assistant = assistant("stranger");
        ToolgateTools gate = assistant.gate();

        assistant
                .with(services -> services.toolProvider(gate.wrap(
                        request -> ToolProviderResult.builder().add(SHIP, ship).build())))
                .told(new WantedCall("1", "ship", "{}"));

        assertThat(runs).hasValue(0);
        assertThat(outcomes()).containsExactly("denied");
    }

    @Test
    void a_tool_that_is_wrapped_twice_needs_one_permit() {
        LangChain4jAssistant assistant = assistant("agent");
        ToolgateTools gate = assistant.gate();

        assistant
                .with(services ->
                        services.tools(gate.wrap(gate.wrap(new Shipping()).toArray())))
                .told(new WantedCall("1", "ship", "{}"));

        assertThat(outcomes()).containsExactly("authorized", "completed");
    }

    @Test
    void compensating_actions_are_refused_because_they_ask_nobody() {
        assertThatThrownBy(() ->
                        assistant("agent").withOwnTools(new WithCompensation()).told())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'undeploy'");
    }

    @Test
    void definitions_are_those_of_the_annotated_methods() {
        ExternalTool deploy = ToolgateTools.definitions(new Deployments()).getFirst();

        assertThat(deploy.name()).isEqualTo("deploy");
        assertThat(deploy.description()).isEqualTo("Deploys the services to a host.");
        assertThat(deploy.inputSchema())
                .containsEntry("type", "object")
                .containsEntry("required", List.of("host"))
                .containsEntry("properties", Map.of("host", Map.of("type", "string")));
    }
}
