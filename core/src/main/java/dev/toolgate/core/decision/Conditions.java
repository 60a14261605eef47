package dev.toolgate.core.decision;

/** The language conditions are written in. */
public interface Conditions {

    /**
     * Makes a condition of its text.
     *
     * @throws InvalidCondition if the text has a mistake
     */
    Condition compile(String text);

    /**
     * Finds out whether a condition may be saved: it has no mistake, and says of every example what
     * its author expects.
     *
     * @throws InvalidCondition with the first thing that is wrong
     */
    void check(String text, ConditionExamples examples);
}
