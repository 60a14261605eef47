package dev.toolgate.store.grant;

import dev.toolgate.core.call.Call;
import dev.toolgate.core.decision.Condition;
import dev.toolgate.core.decision.ConditionExamples;
import dev.toolgate.core.decision.Conditions;
import dev.toolgate.core.decision.InvalidCondition;
import dev.toolgate.core.tool.ToolSpec;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicInteger;

/** A minimal condition language: {@code operation=NAME}. */
final class OperationConditions implements Conditions {
    static final String START = "operation=";

    final AtomicInteger compiled = new AtomicInteger();

    @Override
    public Condition compile(String text) {
        compiled.incrementAndGet();
        if (!text.startsWith(START)) {
            throw new InvalidCondition("There is a mistake at position 1:1.");
        }
        return new Operation(text);
    }

    @Override
    public void check(String text, ConditionExamples examples) {
        compile(text);
        examples.matches().forEach(example -> {
            if (!text.equals(START + example.path("operation").asString(""))) {
                throw new InvalidCondition("The first example does not match.");
            }
        });
    }

    private record Operation(String text) implements Condition {
        @Override
        public boolean holds(Call call, ToolSpec<?> tool, Instant now) {
            return text.equals(START + call.operation());
        }
    }
}
