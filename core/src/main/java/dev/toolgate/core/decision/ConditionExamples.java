package dev.toolgate.core.decision;

import com.fasterxml.jackson.annotation.JsonIgnore;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/**
 * Calls a condition was written for, kept beside it. Each is an object of the variables a condition may
 * name; what it leaves out is empty.
 *
 * @param matches calls of which the condition must be true
 * @param doesNotMatch calls of which it must be false
 */
public record ConditionExamples(List<ObjectNode> matches, List<ObjectNode> doesNotMatch) {
    /** No examples. */
    public static final ConditionExamples NONE = new ConditionExamples(List.of(), List.of());

    public ConditionExamples {
        matches = List.copyOf(matches);
        doesNotMatch = List.copyOf(doesNotMatch);
    }

    /** Whether there are none at all. */
    @JsonIgnore // a question, not a part of what is stored and sent
    public boolean isEmpty() {
        return matches.isEmpty() && doesNotMatch.isEmpty();
    }
}
