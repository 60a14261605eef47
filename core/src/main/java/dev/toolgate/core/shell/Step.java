package dev.toolgate.core.shell;

import java.util.List;

/**
 * One simple command of a line.
 *
 * @param depth how many substitutions it is nested in
 * @param before operators, parentheses and keywords since the previous step
 * @param assignments the variables it sets
 * @param words the program and its arguments; empty if it only sets variables or redirects a group
 */
record Step(int depth, List<String> before, List<Word> assignments, List<Word> words, List<Redirection> redirections) {

    /** A program without assignments or redirections. */
    static Step of(int depth, List<String> before, List<Word> words) {
        return new Step(depth, before, List.of(), words, List.of());
    }

    /** Whether it is empty. */
    boolean isNothing() {
        return assignments.isEmpty() && words.isEmpty() && redirections.isEmpty();
    }
}
