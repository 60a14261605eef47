package dev.toolgate.server.condition;

import static dev.toolgate.server.condition.ConditionFixture.NOON;
import static dev.toolgate.server.condition.ConditionFixture.TOOL;
import static dev.toolgate.server.condition.ConditionFixture.call;
import static dev.toolgate.server.condition.ConditionFixture.holds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.toolgate.core.call.Call;
import dev.toolgate.core.decision.Condition;
import dev.toolgate.core.decision.InvalidCondition;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CelConditionsTest {
    private static final String PARAMS = """
            {"path": "/src/a.txt", "size": 5, "ratio": 0.5, "whole": 5.0, "tags": ["a", "b"], "deep": {"x": {"y": true}},
             "huge": 123456789012345678901234567890, "endless": 1e999}""";

    @ParameterizedTest
    @ValueSource(
            strings = {
                "agent == 'alice'",
                "tool == 'file_list'",
                "operation == 'deploy' && project == 'apollo'",
                "session == ''",
                "params.path.startsWith('/src/') && !params.path.contains('..')",
                "params.path.matches('^/src/[a-z]+[.]txt$')",
                "params.size < 5.5 && params.ratio < 1 && params.whole == 5 && params.size == 5.0",
                "params.huge > 9223372036854775807 && params.endless > 1",
                "'a' in params.tags && params.tags.size() == 2 && params.tags.all(t, t in ['a', 'b'])",
                "params.tags.filter(t, t != 'a').size() == 1 && params.tags.exists_one(t, t == 'a')",
                "params.tags == ['a', 'b'] && params.deep == {'x': {'y': true}}",
                "params.deep.x.y",
                "has(params.deep.x) && !has(params.deep.z)",
                "time.getHours('Europe/Berlin') == 14 && time.getHours() == 13 && time.getDayOfWeek() == 0",
                "time < timestamp('2030-01-01T00:00:00Z') && time - timestamp('2026-03-01T12:00:00Z') == duration('1h')",
                "params.path == '/src/' + 'a.txt'",
                "size(params) == 8 && 'path' in params && params.exists(k, k == 'size')",
            })
    void matches_where_it_is_true(String condition) {
        assertThat(holds(condition, PARAMS)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "agent == 'bob'",
                "params.size > 5",
                "params.path == 5",
                "params.size == '5'",
                "time.getHours('Europe/Berlin') == 13",
                "has(params.owner)",
                "'owner' in params && params.owner == 'alice'",
            })
    void does_not_match_where_it_is_false(String condition) {
        assertThat(holds(condition, PARAMS)).isFalse();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "agnt == 'x'                  | 1:1: undeclared reference to 'agnt'",
                "agent == 'x' && agnt == 'x'  | 1:17: undeclared reference to 'agnt'",
                "agent ==                     | 1:9: it ends too early",
                "agent                        | 1:1: expected type 'bool' but found 'string'",
                "agent < 5                    | 1:7: found no matching overload for '_<_' applied to '(string, int)'",
                "agent.shout() == 'x'         | 1:12: undeclared reference to 'shout'",
                "agent == 'x                  | 1:10: token recognition error at: ''x'",
                "system('rm') == 1            | 1:7: undeclared reference to 'system'",
                "[1].map(x, x) == [1]         | 1:8: undeclared reference to 'map'",
            })
    void an_error_is_reported_with_its_position(String condition, String mistake) {
        assertThatThrownBy(() -> new CelConditions().compile(condition))
                .isInstanceOf(InvalidCondition.class)
                .hasMessageStartingWith("The condition has an error at position " + mistake)
                .hasMessageEndingWith(".")
                .hasMessageNotContaining("\n");
    }

    @Test
    void the_position_counts_lines() {
        assertThatThrownBy(() -> new CelConditions().compile("agent == 'x' &&\n  bogus"))
                .hasMessage("The condition has an error at position 2:3: undeclared reference to 'bogus'.");
    }

    @Test
    void an_alias_of_a_parameter_does_not_bypass_a_condition() {
        Call deep = Call.of(ConditionFixture.ALICE, "ListDeep", ConditionFixture.json("{\"recursive\": null}"));

        assertThat(holds("tool == 'file_list' && params.recursive", deep)).isTrue();
        assertThat(holds("!has(params.recursive) || !params.recursive", deep)).isFalse();
    }

    @Test
    void a_top_level_null_counts_as_absent_and_a_nested_one_as_null() {
        assertThat(holds("!has(params.a) && params.b.c == null", "{\"a\": null, \"b\": {\"c\": null}}"))
                .isTrue();
    }

    @Test
    void a_session_is_compared_by_its_id() {
        assertThat(holds("session == 's-1' && project == ''", ConditionFixture.inSession(call("{}"))))
                .isTrue();
    }

    @Test
    void one_condition_is_safe_for_concurrent_use() throws Exception {
        Condition condition = new CelConditions().compile("params.n % 2 == 0 && params.all.all(x, x <= params.n)");
        try (ExecutorService threads = Executors.newFixedThreadPool(8)) {
            List<Callable<Boolean>> tasks = IntStream.range(0, 2_000)
                    .<Callable<Boolean>>mapToObj(
                            n -> () -> condition.holds(call("{\"n\": " + n + ", \"all\": [0, " + n + "]}"), TOOL, NOON)
                                    == (n % 2 == 0))
                    .toList();
            for (Future<Boolean> right : threads.invokeAll(tasks)) {
                assertThat(right.get()).isTrue();
            }
        }
    }
}
