package dev.toolgate.http.routing;

import dev.toolgate.http.error.BadRequest;
import dev.toolgate.http.request.PercentDecoding;
import java.util.ArrayList;
import java.util.List;

/** Takes a path apart; what could be read in two ways is refused. */
public final class PathSegments {
    private static final int MOST = 32;
    private static final int LONGEST = 512;

    private PathSegments() {}

    public static List<String> of(String path) {
        int end = path.length();
        if (end == 0 || path.charAt(0) != '/') {
            throw new BadRequest("The path must begin with a slash.");
        }
        List<String> segments = new ArrayList<>(8);
        int start = 1;
        while (start <= end && end > 1) {
            int slash = path.indexOf('/', start);
            int stop = slash < 0 ? end : slash;
            if (stop == start && stop < end) {
                throw ambiguous();
            }
            segments.add(segment(path.substring(start, stop)));
            start = stop + 1;
        }
        if (segments.size() > MOST) {
            throw new BadRequest("The path has more than " + MOST + " parts.");
        }
        return segments;
    }

    private static String segment(String raw) {
        if (raw.equals(".") || raw.equals("..") || raw.indexOf(';') >= 0) {
            throw ambiguous();
        }
        String segment = PercentDecoding.segment(raw);
        if (segment.length() > LONGEST) {
            throw new BadRequest("A part of the path is longer than " + LONGEST + " characters.");
        }
        return segment;
    }

    /** Refuses an encoded slash everywhere but in names that may have one. */
    public static void requireClear(List<String> segments, RouteMatch match) {
        for (String segment : segments) {
            if (segment.indexOf('/') >= 0 && !mayHaveSlash(segment, match)) {
                throw ambiguous();
            }
        }
    }

    private static boolean mayHaveSlash(String segment, RouteMatch match) {
        return match instanceof RouteMatch.Found found
                && found.parameters().entrySet().stream()
                        .filter(parameter -> parameter.getValue().equals(segment))
                        .allMatch(parameter -> found.route().slashesIn().contains(parameter.getKey()));
    }

    private static BadRequest ambiguous() {
        return new BadRequest(
                "The path has an empty part, '.', '..', ';' or an encoded slash, which could be read in two ways.");
    }
}
