package dev.toolgate.server.condition;

import dev.toolgate.core.decision.InvalidCondition;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * The mistakes in the text of a condition, and the results of examples.
 *
 * @param mistakes in the order of their positions; none if the condition is valid
 * @param examples in the order of the given ones; none if the condition is not valid
 */
public record ConditionReview(boolean valid, List<Mistake> mistakes, List<Result> examples) {
    /**
     * A mistake.
     *
     * @param line from 1
     * @param column in characters, from 1
     */
    public record Mistake(String message, int line, int column) {
        static Mistake of(InvalidCondition invalid) {
            return new Mistake(String.valueOf(invalid.getMessage()), invalid.line(), invalid.column());
        }
    }

    /**
     * The result of an example.
     *
     * @param problem why it has no result; {@code null} if it has one
     */
    public record Result(String result, @Nullable String problem) {}

    /** Checks a text with examples, each an object of the variables a condition may use. */
    public static ConditionReview of(String text, List<ObjectNode> examples) {
        CelLanguage.Checked checked = CelLanguage.check(text);
        CelCondition condition = checked.condition();
        if (condition == null) {
            return new ConditionReview(
                    false, checked.mistakes().stream().map(Mistake::of).toList(), List.of());
        }
        return new ConditionReview(
                true,
                List.of(),
                examples.stream().map(example -> result(condition, example)).toList());
    }

    private static Result result(CelCondition condition, ObjectNode example) {
        try {
            return new Result(Boolean.toString(condition.holds(example)).toLowerCase(Locale.ROOT), null);
        } catch (EvaluationProblem problem) {
            return new Result("error", "The example cannot be evaluated: " + problem.getMessage() + ".");
        }
    }
}
