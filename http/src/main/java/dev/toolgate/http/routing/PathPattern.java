package dev.toolgate.http.routing;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** A path such as {@code /api/v1/agents/{agent_id}}. */
public record PathPattern(String text, List<Segment> segments) {

    /** One path segment. */
    public sealed interface Segment {
        /** Exactly this text. */
        record Literal(String text) implements Segment {}

        /** Any text, under this name. */
        record Parameter(String name) implements Segment {}
    }

    public PathPattern {
        segments = List.copyOf(segments);
    }

    /** Parses a pattern. */
    public static PathPattern of(String text) {
        if (!text.startsWith("/")) {
            throw new IllegalArgumentException("The path " + text + " does not begin with a slash.");
        }
        List<Segment> segments = new ArrayList<>();
        Set<String> names = new HashSet<>();
        for (String part : text.equals("/") ? new String[0] : text.substring(1).split("/", -1)) {
            Segment segment = segment(text, part);
            if (segment instanceof Segment.Parameter parameter && !names.add(parameter.name())) {
                throw new IllegalArgumentException("The path " + text + " uses a name twice.");
            }
            segments.add(segment);
        }
        return new PathPattern(text, segments);
    }

    private static Segment segment(String path, String part) {
        boolean named = part.startsWith("{") && part.endsWith("}");
        String inner = named ? part.substring(1, part.length() - 1) : part;
        if (inner.isEmpty() || inner.indexOf('{') >= 0 || inner.indexOf('}') >= 0) {
            throw new IllegalArgumentException("The path " + path + " has an empty or ambiguous segment.");
        }
        return named ? new Segment.Parameter(inner) : new Segment.Literal(inner);
    }

    @Override
    public String toString() {
        return text;
    }
}
