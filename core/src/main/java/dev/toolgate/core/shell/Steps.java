package dev.toolgate.core.shell;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** The steps of a line in the order in which a person reads them: a command, then what its words are made of. */
final class Steps {
    private final List<Step> found = new ArrayList<>();
    private final Deque<List<String>> outer = new ArrayDeque<>();
    private List<String> before = new ArrayList<>();

    /** Where a step belongs that begins now, and what stands before it; handed on, never copied, however many follow. */
    record Place(int index, List<String> before) {}

    List<Step> all() {
        return found;
    }

    /** What stands behind the last step. */
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

    /** What began there is grammar and no step. */
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

    /** What follows is put into the words of the step that is being read. */
    void open(String how) {
        outer.push(before);
        before = new ArrayList<>(List.of(how));
    }

    void close() {
        before = outer.pop();
    }
}
