package dev.toolgate.core.policy;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.regex.PatternSyntaxException;

/**
 * A glob for paths with {@code /} between their names. {@code *} and {@code ?} stay within a name, and {@code **}
 * crosses folders; next to a slash it also stands for no folder at all. {@code [a-z]}, {@code [!a-z]} and
 * <code>{a,b}</code> are as in shells, and a backslash escapes.
 *
 * <p>Not {@link java.nio.file.PathMatcher}, whose {@code **} requires a folder, and whose regular expressions can take
 * half a minute for a path that a caller chooses (decision 53). This one simulates an automaton: time is linear in the length of the
 * path.
 */
final class PathGlob {
    private static final int MAX_NESTING = 20;
    private static final int END = -1;

    /** A step of the automaton; the target of a jump is an index. */
    private sealed interface Step {
        /** Takes one character and goes to the next step. */
        record Take(IntPredicate accepted) implements Step {}

        /** Continues with the next step as well as with another one. */
        record Fork(int other) implements Step {}

        record Jump(int target) implements Step {}
    }

    private final List<Step> steps = new ArrayList<>();
    private final int[] pattern;
    private int at;

    private PathGlob(String pattern) {
        this.pattern = pattern.codePoints().toArray();
    }

    /**
     * @throws PatternSyntaxException if a bracket or brace is not closed, for example
     */
    static PathGlob parse(String pattern) {
        String plain = pattern.replaceAll("/{2,}", "/").replaceFirst("^(?:\\./)+", "");
        // A slash at the end says that a folder is meant, which is matched without it.
        PathGlob glob = new PathGlob(plain.length() > 1 ? plain.replaceFirst("/$", "") : plain);
        glob.sequence(0);
        return glob;
    }

    boolean matches(String path) {
        BitSet current = new BitSet();
        enter(0, current);
        for (int character : path.codePoints().toArray()) {
            BitSet next = new BitSet();
            for (int step = current.nextSetBit(0); step >= 0; step = current.nextSetBit(step + 1)) {
                if (step < steps.size()
                        && steps.get(step) instanceof Step.Take take
                        && take.accepted().test(character)) {
                    enter(step + 1, next);
                }
            }
            current = next;
        }
        return current.get(steps.size());
    }

    /** Adds a step, and those reached from it without a character. */
    private void enter(int step, BitSet entered) {
        List<Integer> open = new ArrayList<>(List.of(step));
        while (!open.isEmpty()) {
            int each = open.removeLast();
            if (entered.get(each)) {
                continue;
            }
            entered.set(each);
            if (each < steps.size()) {
                switch (steps.get(each)) {
                    case Step.Take _ -> {}
                    case Step.Fork fork -> {
                        open.add(fork.other());
                        open.add(each + 1);
                    }
                    case Step.Jump jump -> open.add(jump.target());
                }
            }
        }
    }

    private void sequence(int nesting) {
        while (!endsAlternative(peek(), nesting)) {
            part(nesting);
        }
    }

    private void part(int nesting) {
        int character = next();
        switch (character) {
            case '\\' -> {
                int escaped = next();
                if (escaped == END) {
                    throw problem("ends in a backslash");
                }
                take(escaped);
            }
            case '*' -> stars(nesting);
            case '?' -> steps.add(new Step.Take(PathGlob::isInName));
            case '[' -> steps.add(new Step.Take(set()));
            case '{' -> group(nesting + 1);
            case '/' -> slash(nesting);
            default -> take(character);
        }
    }

    private void take(int character) {
        steps.add(new Step.Take(each -> each == character));
    }

    private void stars(int nesting) {
        boolean startsName = at == 1 || (nesting > 0 ? "/{," : "/").indexOf(pattern[at - 2]) >= 0;
        if (peek() != '*') {
            repeat(PathGlob::isInName);
            return;
        }
        skipStars();
        if (startsName && peek() == '/') {
            at++;
            optional(() -> {
                repeat(_ -> true);
                take('/');
            });
        } else {
            repeat(_ -> true);
        }
    }

    // With two stars at the end, the folder itself is meant as well as everything in it.
    private void slash(int nesting) {
        int before = at;
        if (peek() == '*') {
            at++;
            if (peek() == '*') {
                skipStars();
                if (endsAlternative(peek(), nesting)) {
                    optional(() -> {
                        take('/');
                        repeat(_ -> true);
                    });
                    return;
                }
            }
        }
        at = before;
        take('/');
    }

    private void skipStars() {
        while (peek() == '*') {
            at++;
        }
    }

    private void repeat(IntPredicate accepted) {
        int start = steps.size();
        steps.add(new Step.Fork(start + 3));
        steps.add(new Step.Take(accepted));
        steps.add(new Step.Jump(start));
    }

    private void optional(Runnable content) {
        int start = steps.size();
        steps.add(new Step.Jump(start)); // replaced when the end is known
        content.run();
        steps.set(start, new Step.Fork(steps.size()));
    }

    private void group(int nesting) {
        if (nesting > MAX_NESTING) {
            throw problem("nests braces too deep");
        }
        List<Integer> ends = new ArrayList<>();
        while (true) {
            int fork = steps.size();
            steps.add(new Step.Jump(fork)); // replaced below
            sequence(nesting);
            int end = next();
            if (end == END) {
                throw problem("has a brace that is not closed");
            }
            if (end == '}') {
                steps.set(fork, new Step.Jump(fork + 1));
                break;
            }
            ends.add(steps.size());
            steps.add(new Step.Jump(0)); // replaced below
            steps.set(fork, new Step.Fork(steps.size()));
        }
        ends.forEach(end -> steps.set(end, new Step.Jump(steps.size())));
    }

    private IntPredicate set() {
        boolean negated = peek() == '!';
        at += negated ? 1 : 0;
        IntPredicate members = _ -> false;
        int start = at;
        for (int first = next(); first != ']' || at == start + 1; first = next()) {
            if (first == END || first == '/') {
                throw problem(first == END ? "has a bracket that is not closed" : "has a slash in brackets");
            }
            int last = first;
            if (peek() == '-' && at + 1 < pattern.length && pattern[at + 1] != ']') {
                at++;
                last = next();
            }
            if (last < first) {
                throw problem("has a range that ends before it begins");
            }
            int from = first;
            int to = last;
            members = members.or(each -> each >= from && each <= to);
        }
        return (negated ? members.negate() : members).and(PathGlob::isInName);
    }

    private static boolean endsAlternative(int character, int nesting) {
        return character == END || (nesting > 0 && (character == ',' || character == '}'));
    }

    private static boolean isInName(int character) {
        return character != '/';
    }

    private int peek() {
        return at < pattern.length ? pattern[at] : END;
    }

    private int next() {
        int character = peek();
        at++;
        return character;
    }

    private PatternSyntaxException problem(String what) {
        return new PatternSyntaxException(what, new String(pattern, 0, pattern.length), Math.min(at, pattern.length));
    }
}
