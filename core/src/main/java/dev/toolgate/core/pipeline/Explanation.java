package dev.toolgate.core.pipeline;

import dev.toolgate.core.call.Failure;
import dev.toolgate.core.decision.Decision;
import dev.toolgate.core.decision.Verdict;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the gate would decide about a call, and what each rule says.
 *
 * @param verdicts in the order in which the rules are asked
 * @param obstacle why an allowed call would still fail: unknown tool or invalid arguments
 */
public record Explanation(
        Decision decision, List<Verdict> verdicts, @Nullable Failure obstacle) {
    public Explanation {
        verdicts = List.copyOf(verdicts);
    }
}
