package dev.toolgate.server.door.artifact;

import dev.toolgate.core.artifact.ByteRange;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The byte range that a Range header asks for. */
sealed interface RequestedRange {

    /** The whole content: no Range header, or one that may be ignored, such as several ranges. */
    record Whole() implements RequestedRange {}

    /** One range. */
    record Part(ByteRange range) implements RequestedRange {}

    /** A range beyond the end of the content. */
    record Unsatisfiable() implements RequestedRange {}

    Pattern ONE = Pattern.compile("bytes=(\\d{0,18})-(\\d{0,18})");

    static RequestedRange of(Optional<String> header, long size) {
        Matcher one = ONE.matcher(header.orElse("").strip());
        if (!one.matches() || one.group().equals("bytes=-")) {
            return new Whole();
        }
        return one.group(1).isEmpty()
                ? last(Long.parseLong(one.group(2)), size)
                : from(Long.parseLong(one.group(1)), one.group(2), size);
    }

    private static RequestedRange last(long wanted, long size) {
        long length = Math.min(wanted, size);
        return length == 0 ? new Unsatisfiable() : new Part(new ByteRange(size - length, length));
    }

    private static RequestedRange from(long first, String end, long size) {
        long last = end.isEmpty() ? Long.MAX_VALUE : Long.parseLong(end);
        if (last < first) {
            return new Whole(); // an invalid range is ignored
        }
        return first >= size
                ? new Unsatisfiable()
                : new Part(new ByteRange(first, Math.min(last, size - 1) - first + 1));
    }
}
