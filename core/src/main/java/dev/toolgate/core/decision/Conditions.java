package dev.toolgate.core.decision;

/** The language conditions are written in. */
public interface Conditions {

    /**
     * Compiles a condition.
     *
     * @throws InvalidCondition if the text is not valid
     */
    Condition compile(String text);

    /**
     * Checks that a condition is valid and gives the expected result for every example.
     *
     * @throws InvalidCondition with the first problem
     */
    void check(String text, ConditionExamples examples);
}
