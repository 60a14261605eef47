package dev.toolgate.tools.memory;

import static dev.toolgate.tools.Calls.call;
import static dev.toolgate.tools.Calls.caller;
import static dev.toolgate.tools.Calls.context;
import static dev.toolgate.tools.Calls.failure;
import static dev.toolgate.tools.Calls.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.core.call.Bounds;
import dev.toolgate.core.call.Caller;
import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.call.Failure;
import dev.toolgate.core.call.Output;
import dev.toolgate.core.json.Json;
import dev.toolgate.core.memory.InMemoryMemory;
import dev.toolgate.core.tool.Danger;
import dev.toolgate.core.tool.Effect;
import dev.toolgate.core.tool.ToolContext;
import dev.toolgate.tools.Calls;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MemoryToolsTest {
    private final InMemoryMemory memory = new InMemoryMemory();
    private final MemorySaveTool save = new MemorySaveTool(memory, new MemoryLimits(50, 3));
    private final MemoryRetrieveTool retrieve = new MemoryRetrieveTool(memory);
    private final MemoryDeleteTool delete = new MemoryDeleteTool(memory);

    @Test
    void results_have_the_documented_shape() throws Exception {
        assertThat(json(call(save, "{'key':'k','value':'v','tags':['project']}")))
                .isEqualTo("{\"message\":\"Memory saved\"}");
        assertThat(json(call(retrieve, "{'key':'k','tags':['project']}")))
                .isEqualTo("{\"items\":[{\"key\":\"k\",\"value\":\"v\",\"tags\":[\"project\"]}]}");
        assertThat(json(call(delete, "{'key':'k'}"))).isEqualTo("{\"message\":\"Memory deleted\"}");
        assertThat(json(call(retrieve, "{}"))).isEqualTo("{\"items\":[]}");
    }

    @Test
    void capabilities_and_effects_are_declared() {
        assertThat(save.spec().capability()).isEqualTo("Memory.Write");
        assertThat(save.spec().danger()).isEqualTo(Danger.SAFE);
        assertThat(save.spec().effect()).isEqualTo(Effect.CHANGES);
        assertThat(retrieve.spec().capability()).isEqualTo("Memory.Read");
        assertThat(retrieve.spec().effect()).isEqualTo(Effect.READS);
        assertThat(delete.spec().capability()).isEqualTo("Memory.Write");
        assertThat(delete.spec().danger()).isEqualTo(Danger.DANGEROUS);
        assertThat(retrieve.spec().arguments().schema().path("properties").propertyNames())
                .containsExactlyInAnyOrder("key", "tags", "key_prefix", "query", "limit");
        assertThat(retrieve.spec().arguments().schema().has("required")).isFalse();
    }

    @Test
    void the_version_is_in_the_metadata() throws Exception {
        call(save, "{'key':'k','value':'one'}");
        assertThat(call(save, "{'key':'k','value':'two'}").metadata()).containsEntry("version", 2L);
        assertThat(call(retrieve, "{}").metadata()).containsEntry("versions", Map.of("k", 2L));
    }

    @Test
    void items_are_found_by_prefix_and_words_up_to_the_limit() throws Exception {
        call(save, "{'key':'plan/a','value':'buy milk'}");
        call(save, "{'key':'plan/b','value':'sell shoes'}");
        call(save, "{'key':'note','value':'milk is white'}");

        assertThat(call(retrieve, "{'key_prefix':'plan/','query':'MILK'}").text())
                .isEqualTo("plan/a: buy milk");
        assertThat(call(retrieve, "{'limit':1}").text()).isEqualTo("note: milk is white");
        assertThat(call(retrieve, "{'query':'cow'}").text()).isEqualTo("There are no matching items.");
    }

    @Test
    void another_agent_and_another_tenant_see_nothing() throws Exception {
        call(save, "{'key':'k','value':'v'}");
        for (Caller other : List.of(caller("acme", "bob"), caller("other", "alice"))) {
            assertThat(json(call(retrieve, "{}", other, Bounds.none()))).isEqualTo("{\"items\":[]}");
            assertThat(failure(delete, "{'key':'k'}", other, Bounds.none()).message())
                    .contains("There is no value");
        }
    }

    @Test
    void the_result_stays_within_the_output_limit() throws Exception {
        for (String key : List.of("a", "b", "c")) {
            call(save, "{'key':'" + key + "','value':'" + "x".repeat(40) + "'}");
        }
        Output output = call(retrieve, "{}", Calls.ALICE, Bounds.sizes(null, 90));

        assertThat(output.metadata()).containsEntry("resultCount", 2).containsEntry("truncated", true);
        assertThat(output.text()).contains("Showing 2 of 3");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'key':' ','value':'v'}",
                "{'key':'a\\nb','value':'v'}",
                "{'key':'k','value':'a\\u0000b'}",
                "{'key':'k','value':'a\\ud800b'}",
                "{'key':'k\\ud800','value':'v'}",
                "{'key':'k','value':'v','tags':['']}",
                "{'key':'k','value':'012345678901234567890123456789012345678901234567890'}",
            })
    void invalid_keys_tags_and_values_are_refused(String arguments) {
        Failure failure = failure(save, arguments);
        assertThat(failure.code()).isEqualTo(ErrorCode.INVALID_REQUEST);
        assertThat(failure.message()).startsWith("Field '");
    }

    @Test
    void a_full_memory_fails_with_what_to_do() throws Exception {
        for (String key : List.of("a", "b", "c")) {
            call(save, "{'key':'" + key + "','value':'v'}");
        }
        assertThat(failure(save, "{'key':'d','value':'v'}").message())
                .contains("full")
                .contains("memory_delete");
        call(save, "{'key':'a','value':'new'}");
    }

    @Test
    void the_preview_of_a_deletion_shows_the_value() throws Exception {
        call(save, "{'key':'k','value':'precious'}");
        ToolContext context = context(delete, Json.MAPPER.createObjectNode(), Calls.ALICE, Bounds.none());
        assertThat(delete.preview(new MemoryDeleteTool.Arguments("k"), context)).contains("Delete k: precious");
        assertThat(call(retrieve, "{}").metadata()).containsEntry("resultCount", 1);
    }
}
