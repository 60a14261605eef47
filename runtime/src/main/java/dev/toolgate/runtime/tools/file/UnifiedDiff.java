package dev.toolgate.runtime.tools.file;

import com.github.difflib.DiffUtils;
import com.github.difflib.UnifiedDiffUtils;
import com.github.difflib.algorithm.myers.MyersDiffWithLinearSpace;
import com.github.difflib.patch.AbstractDelta;
import com.github.difflib.patch.ChangeDelta;
import com.github.difflib.patch.Chunk;
import com.github.difflib.patch.Patch;
import dev.toolgate.core.undo.KeptState;
import dev.toolgate.runtime.tools.file.Snapshot.Absent;
import dev.toolgate.runtime.tools.file.Snapshot.Held;
import dev.toolgate.runtime.tools.file.Snapshot.NotHeld;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Creates unified diffs. */
public final class UnifiedDiff {
    private static final int CONTEXT_LINES = 3;
    // Comparing takes time proportional to the product of the line counts; beyond this the changed middle is replaced
    // as a whole.
    private static final long MAX_COMPARISONS = 25_000_000;
    private static final String NO_NEWLINE = "\n\\ No newline at end of file";

    private UnifiedDiff() {}

    /** The diff of two kept states; empty if nothing differs. */
    public static String between(String name, KeptState before, KeptState after) {
        return between(name, Snapshot.of(before), Snapshot.of(after));
    }

    /** The diff; empty if nothing differs. */
    static String between(String name, Snapshot before, Snapshot after) {
        if (before instanceof NotHeld || after instanceof NotHeld) {
            return "File " + name + " changed: " + inWords(before) + " before, " + inWords(after)
                    + " after; too large or unreadable for a diff\n";
        }
        byte[] old = bytes(before);
        byte[] now = bytes(after);
        boolean sameKind = before instanceof Absent == after instanceof Absent;
        if (sameKind && Arrays.equals(old, now)) {
            return "";
        }
        if (TextEncoding.isBinary(old) || TextEncoding.isBinary(now)) {
            return "Binary file " + name + " changed: " + inWords(before) + " before, " + inWords(after) + " after\n";
        }
        List<String> oldLines = lines(old);
        List<String> newLines = lines(now);
        List<String> diff = UnifiedDiffUtils.generateUnifiedDiff(
                before instanceof Absent ? "/dev/null" : "a/" + name,
                after instanceof Absent ? "/dev/null" : "b/" + name,
                oldLines,
                compare(oldLines, newLines),
                CONTEXT_LINES);
        return diff.isEmpty() ? header(name, before) : String.join("\n", diff) + "\n";
    }

    private static Patch<String> compare(List<String> old, List<String> now) {
        if ((long) old.size() * now.size() <= MAX_COMPARISONS) {
            return joined(DiffUtils.diff(old, now, new MyersDiffWithLinearSpace<>()));
        }
        int same = 0;
        int shorter = Math.min(old.size(), now.size());
        while (same < shorter && old.get(same).equals(now.get(same))) {
            same++;
        }
        int sameAtEnd = 0;
        while (sameAtEnd < shorter - same
                && old.get(old.size() - 1 - sameAtEnd).equals(now.get(now.size() - 1 - sameAtEnd))) {
            sameAtEnd++;
        }
        Patch<String> patch = new Patch<>();
        patch.addDelta(new ChangeDelta<>(
                new Chunk<>(same, old.subList(same, old.size() - sameAtEnd)),
                new Chunk<>(same, now.subList(same, now.size() - sameAtEnd))));
        return patch;
    }

    // The algorithm reports a change as an adjacent insertion and deletion; joined, removed lines come first.
    private static Patch<String> joined(Patch<String> patch) {
        Patch<String> result = new Patch<>();
        AbstractDelta<String> last = null;
        for (AbstractDelta<String> next : patch.getDeltas()) {
            if (last == null) {
                last = next;
            } else if (touch(last.getSource(), next.getSource()) && touch(last.getTarget(), next.getTarget())) {
                last = new ChangeDelta<>(
                        join(last.getSource(), next.getSource()), join(last.getTarget(), next.getTarget()));
            } else {
                result.addDelta(last);
                last = next;
            }
        }
        if (last != null) {
            result.addDelta(last);
        }
        return result;
    }

    private static boolean touch(Chunk<String> first, Chunk<String> second) {
        return first.getPosition() + first.size() == second.getPosition();
    }

    private static Chunk<String> join(Chunk<String> first, Chunk<String> second) {
        List<String> lines = new ArrayList<>(first.getLines());
        lines.addAll(second.getLines());
        return new Chunk<>(first.getPosition(), lines);
    }

    // An empty file was created or removed.
    private static String header(String name, Snapshot before) {
        return before instanceof Absent ? "New empty file " + name + "\n" : "Removed empty file " + name + "\n";
    }

    private static List<String> lines(byte[] content) {
        String text = new String(content, StandardCharsets.UTF_8);
        List<String> lines = new ArrayList<>();
        int start = 0;
        for (int end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', start)) {
            lines.add(text.substring(start, end));
            start = end + 1;
        }
        if (start < text.length()) {
            lines.add(text.substring(start) + NO_NEWLINE);
        }
        return lines;
    }

    private static byte[] bytes(Snapshot snapshot) {
        return switch (snapshot) {
            case Held held -> held.bytes();
            case Absent absent -> new byte[0];
            case NotHeld other -> new byte[0];
        };
    }

    private static String inWords(Snapshot snapshot) {
        return switch (snapshot) {
            case Held held -> held.bytes().length + " bytes";
            case Absent absent -> "no file";
            case NotHeld other -> other.why();
        };
    }
}
