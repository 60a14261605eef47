package dev.toolgate.server.condition;

import dev.cel.runtime.CelEvaluationException;
import dev.cel.runtime.CelRuntime;
import dev.cel.runtime.CelVariableResolver;
import dev.toolgate.core.call.Call;
import dev.toolgate.core.decision.Condition;
import dev.toolgate.core.tool.ToolSpec;
import java.time.Instant;
import tools.jackson.databind.node.ObjectNode;

/** A compiled condition; safe for concurrent use. */
final class CelCondition implements Condition {
    private final String text;
    private final CelRuntime.Program program;

    CelCondition(String text, CelRuntime.Program program) {
        this.text = text;
        this.program = program;
    }

    @Override
    public String text() {
        return text;
    }

    @Override
    public boolean holds(Call call, ToolSpec<?> tool, Instant now) {
        return holds(new CallVariables(call, tool, now));
    }

    /** Whether the condition matches an example. */
    boolean holds(ObjectNode example) {
        return holds(new ExampleVariables(example));
    }

    private boolean holds(CelVariableResolver variables) {
        try {
            if (program.eval(variables) instanceof Boolean answer) {
                return answer;
            }
        } catch (CelEvaluationException unanswered) {
            throw EvaluationProblem.of(unanswered, text);
        } catch (RuntimeException | StackOverflowError unexpected) {
            throw new EvaluationProblem("it could not be evaluated");
        }
        throw new EvaluationProblem("its result is neither true nor false");
    }
}
