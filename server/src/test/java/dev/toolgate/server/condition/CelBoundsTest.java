package dev.toolgate.server.condition;

import static dev.toolgate.server.condition.ConditionFixture.holds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.toolgate.core.decision.InvalidCondition;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Hostile conditions and arguments. */
@Timeout(30)
class CelBoundsTest {
    private static final String SECRET = "hunter2-hunter2";

    @Test
    void a_text_that_is_too_long_is_refused() {
        String text = "agent == '" + "x".repeat(10_000) + "'";

        assertThatThrownBy(() -> new CelConditions().compile(text))
                .isInstanceOf(InvalidCondition.class)
                .hasMessage("The condition is longer than 2000 characters.");
        assertThatThrownBy(() -> new CelConditions().compile(" \n")).hasMessage("The condition is empty.");
    }

    @ParameterizedTest
    @ValueSource(strings = {"(", "!", "[", "-", "{1:", "agent.", "true?true:", "f("})
    void a_text_that_is_nested_too_deeply_is_refused(String layer) {
        assertThatThrownBy(() -> new CelConditions().compile(layer.repeat(1_990 / layer.length()) + "1"))
                .isInstanceOf(InvalidCondition.class)
                .hasMessageNotContaining("\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"\0", "\ud800 == 'x'", "agent == '\ud800'", "\u202e", "'\\x00' == agent ||"})
    void strange_characters_do_no_harm(String text) {
        try {
            assertThat(holds(text, "{}")).isFalse();
        } catch (InvalidCondition refused) {
            assertThat(refused).hasMessageEndingWith(".");
        }
    }

    @Test
    void a_huge_list_ends_the_evaluation_not_the_server() {
        String list = IntStream.range(0, 100_000).mapToObj(Integer::toString).collect(Collectors.joining(","));
        String arguments = "{\"items\": [" + list + "]}";

        assertThatThrownBy(() -> holds("params.items.all(i, i >= 0)", arguments))
                .hasMessage("it needs too many loop iterations");
        assertThat(holds("params.items.size() == 100000 && params.items[99999] == 99999", arguments))
                .isTrue();
    }

    @Test
    void nested_loops_share_one_budget() {
        String list = IntStream.range(0, 200).mapToObj(Integer::toString).collect(Collectors.joining(","));

        assertThatThrownBy(() -> holds("params.l.all(a, params.l.all(b, a + b >= 0))", "{\"l\": [" + list + "]}"))
                .hasMessage("it needs too many loop iterations");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "[[1]].all(a, [[a, a]].all(b, [[b, b]].all(c, c == c)))",
                "[[1]].all(a, [{'x': a}].all(b, b == b))",
                "['x'].all(a, [a + a].all(b, b == b))",
                "[[1]].filter(a, [[a, a]] == [[a, a]]).size() == 1",
            })
    void a_loop_that_builds_growing_values_is_refused(String condition) {
        assertThatThrownBy(() -> new CelConditions().compile(condition))
                .isInstanceOf(InvalidCondition.class)
                .hasMessageContaining("a list or map built inside a loop must not contain the loop's variable")
                .hasMessageMatching("(?s)The condition has an error at position 1:\\d+: .*");
    }

    @Test
    void regular_expressions_run_in_linear_time() {
        String text = "a".repeat(100_000) + "!";

        assertThat(holds("params.s.matches('^(a+)+$')", "{\"s\": \"" + text + "\"}"))
                .isFalse();
        assertThatThrownBy(() -> holds("params.s.matches(params.p)", "{\"s\": \"x\", \"p\": \"((a{100}){100}){100}\"}"))
                .hasMessage("a value has a different format than the condition expects");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "params.owner == 'x'                  | there is no 'owner'",
                "params.map[params.secret] == 1       | there is no such key",
                "params.list[7] == 1                  | a list has no such element",
                "int(params.secret) == 1              | a value has a different format than the condition expects",
                "timestamp(params.secret) < time      | a value has a different format than the condition expects",
                "duration(params.secret) < duration('1s') | a value has a different format than the condition expects",
                "params.secret.matches(params.secret + '(') | a value has a different format than the condition expects",
                "time.getHours(params.secret) == 1    | a value has a different format than the condition expects",
                "params.secret < 3                    | a value has a different type than the condition expects",
                "params.secret.owner == 1             | there is no such key",
                "params.one / 0 == 1                  | a division by zero",
                "9223372036854775807 + params.one > 1 | a number is too large",
                "params.secret                        | its result is neither true nor false",
            })
    void errors_do_not_contain_values_of_the_call(String condition, String message) {
        String arguments = "{\"secret\": \"" + SECRET + "\", \"one\": 1, \"list\": [], \"map\": {}}";

        assertThatThrownBy(() -> holds(condition, arguments))
                .hasMessage(message)
                .hasNoCause()
                .hasMessageNotContaining(SECRET);
    }
}
