package dev.toolgate.server.upstream;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * One difference between two definitions of a tool.
 *
 * @param where a JSON pointer
 * @param before as text, with invisible characters spelled out; null if there was nothing
 * @param after the same; null if there is nothing now
 */
public record DefinitionDifference(
        String where, @Nullable String before, @Nullable String after) {
    /** The maximum number of reported differences. */
    static final int MAX_DIFFERENCES = 50;

    private static final int MAX_TEXT = 4_000;
    private static final int MAX_DEPTH = 40;

    /**
     * The differences between two definitions.
     *
     * @param first in the order of their positions, at most {@link #MAX_DIFFERENCES}
     * @param more how many others there are
     */
    public record Found(List<DefinitionDifference> first, int more) {}

    /** The differences between two definitions. */
    public static Found between(ObjectNode before, ObjectNode after) {
        Comparison comparison = new Comparison();
        comparison.compare(before, after, "", 0);
        return new Found(List.copyOf(comparison.first), comparison.more);
    }

    private static final class Comparison {
        private final List<DefinitionDifference> first = new ArrayList<>();
        private int more;

        void compare(@Nullable JsonNode before, @Nullable JsonNode after, String pointer, int depth) {
            if (before != null && before.equals(after)) {
                return;
            }
            if (before instanceof ObjectNode was && after instanceof ObjectNode is && depth < MAX_DEPTH) {
                TreeSet<String> names = new TreeSet<>(was.propertyNames());
                names.addAll(is.propertyNames());
                names.forEach(name ->
                        compare(was.get(name), is.get(name), pointer + "/" + DescriptionScan.visible(name), depth + 1));
            } else if (first.size() < MAX_DIFFERENCES) {
                first.add(new DefinitionDifference(pointer, text(before), text(after)));
            } else {
                more++;
            }
        }
    }

    private static @Nullable String text(@Nullable JsonNode value) {
        if (value == null) {
            return null;
        }
        String whole = value.isString() ? value.stringValue() : value.toString();
        return DescriptionScan.visible(whole.length() <= MAX_TEXT ? whole : whole.substring(0, MAX_TEXT) + "…");
    }
}
