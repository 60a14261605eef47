package dev.toolgate.core.shell;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** The steps of a line in reading order: a command, then the substitutions in its words. */
final class Steps {
    private final List<Step> found = new ArrayList<>();
    private final Deque<List<String>> outer = new ArrayDeque<>();
    private List<String> before = new ArrayList<>();

    /** The insertion index of a started step and what precedes it; handed on without copying. */
    record Place(int index, List<String> before) {}

    List<Step> all() {
        return found;
    }

    /** What follows the last step. */
    List<String> rest() {
        return before;
    }

    void operator(String operator) {
        before.add(operator);
    }

    Place begin() {
        Place place = new Place(found.size(), before);
        before = new ArrayList<>();
        return place;
    }

    /** The started step turned out to be a keyword. */
    void keyword(Place place, String keyword) {
        giveBack(place);
        before.add(keyword);
    }

    private void giveBack(Place place) {
        List<String> since = before;
        before = place.before;
        before.addAll(since);
    }

    void end(Place place, List<Word> assignments, List<Word> words, List<Redirection> redirections) {
        Step step = new Step(
                outer.size(),
                List.copyOf(place.before),
                List.copyOf(assignments),
                List.copyOf(words),
                List.copyOf(redirections));
        if (step.isNothing()) {
            giveBack(place);
        } else {
            found.add(place.index, step);
        }
    }

    /** Starts a substitution in the words of the current step. */
    void open(String how) {
        outer.push(before);
        before = new ArrayList<>(List.of(how));
    }

    void close() {
        before = outer.pop();
    }
}
