package dev.toolgate.server.condition;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.toolgate.core.decision.ConditionExamples;
import dev.toolgate.core.decision.InvalidCondition;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConditionExamplesTest {
    private static final String CONDITION = "params.path.startsWith('/src/') && agent != 'eve'";

    @Test
    void examples_that_agree_are_accepted() {
        ConditionExamples examples = new ConditionExamples(
                List.of(
                        ConditionFixture.json("{\"params\": {\"path\": \"/src/a\"}}"),
                        ConditionFixture.json("{\"agent\": \"bob\", \"params\": {\"path\": \"/src/\"}}")),
                List.of(ConditionFixture.json("{\"agent\": \"eve\", \"params\": {\"path\": \"/src/a\"}}")));

        assertThatCode(() -> new CelConditions().check(CONDITION, examples)).doesNotThrowAnyException();
    }

    @Test
    void the_example_that_disagrees_is_named() {
        assertThatThrownBy(() -> check(CONDITION, "{\"params\": {\"path\": \"/etc/passwd\"}}"))
                .isInstanceOf(InvalidCondition.class)
                .hasMessage("Example 2 of 'matches' does not match the condition.");
        ConditionExamples wrong = new ConditionExamples(
                List.of(), List.of(ConditionFixture.json("{\"agent\": \"bob\", \"params\": {\"path\": \"/src/a\"}}")));
        assertThatThrownBy(() -> new CelConditions().check(CONDITION, wrong))
                .hasMessage("Example 1 of 'does_not_match' matches the condition.");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '^',
            value = {
                "{} | there is no 'path'",
                "{\"params\": []} | 'params' is not an object",
                "{\"params\": {\"path\": \"/src/\"}, \"agent\": 5} | 'agent' is not a text",
                "{\"parms\": {}} | it has an unknown field; known are agent",
            })
    void an_example_that_cannot_be_evaluated_is_refused(String example, String complaint) {
        assertThatThrownBy(() -> check(CONDITION, example))
                .isInstanceOf(InvalidCondition.class)
                .hasMessageStartingWith("Example 2 of 'matches' cannot be evaluated: " + complaint);
    }

    @Test
    void a_condition_on_the_time_needs_examples_with_a_time() {
        String night = "time.getHours('Europe/Berlin') < 6";
        ConditionExamples good = new ConditionExamples(
                List.of(ConditionFixture.json("{\"time\": \"2026-03-01T03:00:00+01:00\"}")),
                List.of(ConditionFixture.json("{\"time\": \"2026-03-01T12:00:00Z\"}")));

        assertThatCode(() -> new CelConditions().check(night, good)).doesNotThrowAnyException();
        ConditionExamples silent = new ConditionExamples(List.of(ConditionFixture.json("{}")), List.of());
        assertThatThrownBy(() -> new CelConditions().check(night, silent))
                .hasMessageContaining("the example needs a 'time'");
    }

    private static void check(String condition, String second) {
        String first = "{\"params\": {\"path\": \"/src/a\"}}";
        new CelConditions()
                .check(
                        condition,
                        new ConditionExamples(
                                List.of(ConditionFixture.json(first), ConditionFixture.json(second)), List.of()));
    }
}
