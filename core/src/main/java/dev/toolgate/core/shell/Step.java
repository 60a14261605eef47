package dev.toolgate.core.shell;

import java.util.List;

/**
 * One thing a line does.
 *
 * @param depth how many substitutions it stands within
 * @param before the operators, parentheses and keywords between the step before and this one
 * @param assignments the variables it sets
 * @param words the program and its arguments; empty if it only sets variables or redirects a group
 */
record Step(int depth, List<String> before, List<Word> assignments, List<Word> words, List<Redirection> redirections) {

    /** A program without anything around it. */
    static Step of(int depth, List<String> before, List<Word> words) {
        return new Step(depth, before, List.of(), words, List.of());
    }

    /** Whether it does anything at all. */
    boolean isNothing() {
        return assignments.isEmpty() && words.isEmpty() && redirections.isEmpty();
    }
}
