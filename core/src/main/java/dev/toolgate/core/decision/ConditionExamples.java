package dev.toolgate.core.decision;

import com.fasterxml.jackson.annotation.JsonIgnore;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/**
 * Example calls stored with a condition. Each is an object of the variables a condition may use; missing ones are
 * empty.
 *
 * @param matches calls for which the condition must be true
 * @param doesNotMatch calls for which it must be false
 */
public record ConditionExamples(List<ObjectNode> matches, List<ObjectNode> doesNotMatch) {
    /** No examples. */
    public static final ConditionExamples NONE = new ConditionExamples(List.of(), List.of());

    public ConditionExamples {
        matches = List.copyOf(matches);
        doesNotMatch = List.copyOf(doesNotMatch);
    }

    /** Whether there are none at all. */
    @JsonIgnore // not a stored property
    public boolean isEmpty() {
        return matches.isEmpty() && doesNotMatch.isEmpty();
    }
}
