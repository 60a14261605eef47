package dev.toolgate.http.routing;

import dev.toolgate.http.error.BadRequest;
import dev.toolgate.http.request.PercentDecoding;
import java.util.ArrayList;
import java.util.List;

/** Splits a path into segments; ambiguous paths are refused. */
public final class PathSegments {
    private static final int MAX_SEGMENTS = 32;
    private static final int MAX_LENGTH = 512;

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
        if (segments.size() > MAX_SEGMENTS) {
            throw new BadRequest("The path has more than " + MAX_SEGMENTS + " parts.");
        }
        return segments;
    }

    private static String segment(String raw) {
        if (raw.equals(".") || raw.equals("..") || raw.indexOf(';') >= 0) {
            throw ambiguous();
        }
        String segment = PercentDecoding.segment(raw);
        if (segment.length() > MAX_LENGTH) {
            throw new BadRequest("A part of the path is longer than " + MAX_LENGTH + " characters.");
        }
        return segment;
    }

    /** Refuses an encoded slash except in parameters that may contain one. */
    public static void requireUnambiguous(List<String> segments, RouteMatch match) {
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
        return new BadRequest("The path has an empty segment, '.', '..', ';' or an encoded slash, which is ambiguous.");
    }
}
