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

    /** The differences, in the order of their positions. */
    public static List<DefinitionDifference> between(ObjectNode before, ObjectNode after) {
        List<DefinitionDifference> found = new ArrayList<>();
        compare(before, after, "", 0, found);
        return List.copyOf(found);
    }

    private static void compare(
            @Nullable JsonNode before,
            @Nullable JsonNode after,
            String pointer,
            int depth,
            List<DefinitionDifference> found) {
        if (found.size() >= MAX_DIFFERENCES || (before != null && before.equals(after))) {
            return;
        }
        if (before instanceof ObjectNode was && after instanceof ObjectNode is && depth < MAX_DEPTH) {
            TreeSet<String> names = new TreeSet<>(was.propertyNames());
            names.addAll(is.propertyNames());
            names.forEach(name -> compare(
                    was.get(name), is.get(name), pointer + "/" + DescriptionScan.visible(name), depth + 1, found));
            return;
        }
        found.add(new DefinitionDifference(pointer, text(before), text(after)));
    }

    private static @Nullable String text(@Nullable JsonNode value) {
        if (value == null) {
            return null;
        }
        String whole = value.isString() ? value.stringValue() : value.toString();
        return DescriptionScan.visible(whole.length() <= MAX_TEXT ? whole : whole.substring(0, MAX_TEXT) + "…");
    }
}
