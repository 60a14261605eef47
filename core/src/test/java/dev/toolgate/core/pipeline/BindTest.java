package dev.toolgate.core.pipeline;

import static dev.toolgate.core.pipeline.Answers.failure;
import static dev.toolgate.core.pipeline.Answers.output;
import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.core.call.Call;
import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.json.Json;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

class BindTest {
    private final Gate gate = new Gate();

    @Test
    void an_unknown_tool_fails_by_name() {
        assertThat(failure(gate.granting("nope").send("nope", Map.of()))).satisfies(failure -> {
            assertThat(failure.code()).isEqualTo(ErrorCode.TOOL_NOT_FOUND);
            assertThat(failure.message()).isEqualTo("Unknown tool: nope");
        });
        assertThat(gate.audit.entries()).hasSize(1);
    }

    @Test
    void wrong_arguments_fail_naming_the_field() {
        gate.with(EchoTool.safe()).granting("echo");

        assertThat(failure(gate.send("echo", Map.of())).message()).isEqualTo("Missing required field: text.");
        assertThat(failure(gate.send("echo", Map.of("text", 7))).message())
                .isEqualTo("Field 'text' must be text, not a whole number.");
    }

    @Test
    void an_alias_brings_its_defaults_and_its_path_rule() {
        gate.with(EchoTool.safe()).granting("echo");

        assertThat(output(gate.send("Echo", Map.of("text", "a"))).text()).isEqualTo("aaa");
        assertThat(output(gate.send("Echo", Map.of("text", "a", "times", 2))).text())
                .isEqualTo("aa");
        assertThat(output(gate.send("sayEcho", Map.of("text", "a", "path", "here")))
                        .text())
                .isEqualTo("a");
        assertThat(failure(gate.send("Echo", Map.of("text", "a", "path", "here")))
                        .message())
                .isEqualTo("Field 'path' must be an absolute path.");
        assertThat(gate.audit.entries())
                .allSatisfy(entry -> assertThat(entry.tool()).isEqualTo("echo"));
    }

    @Test
    void deeply_nested_arguments_are_refused_and_recorded() {
        gate.with(EchoTool.safe()).granting("echo");
        ObjectNode deep = Json.MAPPER.createObjectNode();
        ObjectNode at = deep;
        for (int i = 0; i < 100_000; i++) {
            at = at.putObject("a");
        }

        for (String name : List.of("echo", "Echo", "nobody")) {
            assertThat(gate.send(Call.of(Gate.ALICE, name, deep)).logged()).isTrue();
        }
        assertThat(failure(gate.send(Call.of(Gate.ALICE, "Echo", deep))).message())
                .contains("nested deeper");
    }
}
