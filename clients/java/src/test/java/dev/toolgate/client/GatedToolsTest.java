package dev.toolgate.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.toolgate.client.model.Tool;
import dev.toolgate.client.model.ToolResult;
import dev.toolgate.client.testing.MockApprovals;
import dev.toolgate.client.testing.MockCall;
import dev.toolgate.client.testing.MockToolgate;
import dev.toolgate.client.tools.GatedTools;
import dev.toolgate.client.tools.ModelAnswer;
import dev.toolgate.client.tools.ModelAnswer.NoOutput;
import dev.toolgate.client.tools.ModelAnswer.Returned;
import dev.toolgate.client.tools.ModelCall;
import dev.toolgate.client.tools.ToolRun;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class GatedToolsTest {
    private final MockToolgate mock = MockToolgate.start(Map.of("agent", List.of("ship")));
    private final GatedTools tools = GatedTools.of(mock.client("agent"));
    private final List<String> ran = new ArrayList<>();

    @AfterEach
    void stop() {
        mock.close();
    }

    private ModelAnswer<String> run(GatedTools gate, String tool, @Nullable String arguments) {
        return gate.run(new ModelCall("call_1", tool, arguments), permitted -> {
            ran.add(permitted);
            return ToolRun.succeeded("shipped", "shipped");
        });
    }

    private static String message(ModelAnswer<?> answer) {
        assertThat(answer).isInstanceOf(NoOutput.class);
        return ((NoOutput<?>) answer).message();
    }

    private List<String> outcomes() {
        return mock.calls().stream().map(MockCall::outcome).toList();
    }

    @Test
    void a_permitted_tool_runs_and_is_reported() {
        assertThat(run(tools, "ship", "{ \"to\": \"Vienna\" }")).isEqualTo(new Returned<>("shipped"));
        assertThat(run(tools, "ship", null)).isEqualTo(new Returned<>("shipped"));

        assertThat(ran).containsExactly("{\"to\":\"Vienna\"}", "{}");
        assertThat(outcomes()).containsExactly("authorized", "completed", "authorized", "completed");
    }

    @Test
    void a_denied_tool_does_not_run_and_the_model_is_told_why() {
        assertThat(message(run(tools, "erase", "{}")))
                .isEqualTo(
                        "'erase' was not run. Agent 'agent' not permitted to use tool 'erase'. Use one of the allowed"
                                + " tools, ask an operator to grant 'erase' to agent 'agent', or use an agent that has it."
                                + " Allowed tools: ship.");
        assertThat(ran).isEmpty();
    }

    @Test
    void what_a_tool_throws_is_reported_and_thrown() {
        assertThatThrownBy(() -> tools.run(new ModelCall(null, "ship", "{}"), permitted -> {
                    throw new IOException("no ship");
                }))
                .isInstanceOf(IOException.class);
        assertThat(tools.run(new ModelCall(null, "ship", "{}"), permitted -> ToolRun.failed("sunk", "sunk")))
                .isEqualTo(new Returned<>("sunk"));

        assertThat(outcomes()).containsExactly("authorized", "failed", "authorized", "failed");
    }

    @Test
    void arguments_that_are_not_one_object_reach_neither_gate_nor_tool() {
        for (String arguments : List.of("[]", "null", "\"to\"", "{\"to\":1,\"to\":2}", "{} {}", "{\"to\":")) {
            assertThat(message(run(tools, "ship", arguments)))
                    .startsWith("'ship' was not run. The arguments are not a JSON object");
        }
        assertThat(ran).isEmpty();
        assertThat(mock.calls()).isEmpty();
    }

    @Test
    void without_an_answer_of_the_gate_or_of_a_person_nothing_runs() {
        mock.holding("ship", MockApprovals.UNANSWERED);
        assertThat(message(run(tools.waiting(Duration.ZERO), "ship", "{}")))
                .isEqualTo("'ship' was not run. Nobody has approved the call.");

        Toolgate gone = Toolgate.builder()
                .url(mock.url())
                .key(mock.key())
                .agent("agent")
                .maxRetries(0)
                .build();
        mock.close();
        assertThat(message(run(GatedTools.of(gone), "ship", "{}")))
                .isEqualTo("'ship' was not run. The gate gave no answer.");
        assertThat(ran).isEmpty();
    }

    @Test
    void the_gate_runs_its_own_tools() {
        mock.returning("ship", "shipped there");
        ModelCall call = new ModelCall(null, "ship", "{}");

        assertThat(tools.offered()).extracting(Tool::name).containsExactly("ship");
        assertThat(tools.execute(call))
                .isInstanceOfSatisfying(Returned.class, returned -> assertThat(((ToolResult) returned.output()).data())
                        .isEqualTo("shipped there"));
        mock.failing("ship", "no wind");
        assertThat(message(tools.execute(call))).startsWith("'ship' failed. no wind.");
        mock.holding("ship", MockApprovals.UNANSWERED);
        assertThat(message(tools.waiting(Duration.ZERO).execute(call))).contains("still waits for an approval");
    }

    @Test
    void a_client_without_an_agent_is_refused_at_once() {
        Toolgate nobody =
                new ToolgateBuilder(Map.of()).url(mock.url()).key(mock.key()).build();

        assertThatThrownBy(() -> GatedTools.of(nobody)).isInstanceOf(IllegalStateException.class);
    }
}
