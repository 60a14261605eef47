package dev.toolgate.server.condition;

import dev.toolgate.core.decision.Condition;
import dev.toolgate.core.decision.ConditionExamples;
import dev.toolgate.core.decision.Conditions;
import dev.toolgate.core.decision.InvalidCondition;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.node.ObjectNode;

/**
 * Conditions in CEL over the variables agent, tool, operation, project, params, time and session. The CEL library is
 * loaded with the first condition, so that a server without conditions does not load it.
 */
public final class CelConditions implements Conditions {

    @Override
    public Condition compile(String text) {
        return CelLanguage.compile(text);
    }

    @Override
    public void check(String text, ConditionExamples examples) {
        CelCondition condition = CelLanguage.compile(text);
        evaluate(condition, "matches", examples.matches()).forEach((name, answer) -> {
            if (!answer) {
                throw new InvalidCondition(name + " does not match the condition.");
            }
        });
        evaluate(condition, "does_not_match", examples.doesNotMatch()).forEach((name, answer) -> {
            if (answer) {
                throw new InvalidCondition(name + " matches the condition.");
            }
        });
    }

    private static Map<String, Boolean> evaluate(CelCondition condition, String kind, List<ObjectNode> examples) {
        Map<String, Boolean> answers = new LinkedHashMap<>();
        for (ObjectNode example : examples) {
            String name = "Example " + (answers.size() + 1) + " of '" + kind + "'";
            try {
                answers.put(name, condition.holds(example));
            } catch (EvaluationProblem problem) {
                throw new InvalidCondition(name + " cannot be evaluated: " + problem.getMessage() + ".");
            }
        }
        return answers;
    }
}
