package dev.toolgate.server.door.artifact;

import dev.toolgate.core.artifact.ByteRange;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Which part of something a Range header asks for. */
sealed interface AskedRange {

    /** All of it: there is no such header, or one that may be left unheeded, such as one for several ranges. */
    record Whole() implements AskedRange {}

    /** One part. */
    record Part(ByteRange range) implements AskedRange {}

    /** A part that is not there. */
    record Beyond() implements AskedRange {}

    Pattern ONE = Pattern.compile("bytes=(\\d{0,18})-(\\d{0,18})");

    static AskedRange of(Optional<String> header, long size) {
        Matcher one = ONE.matcher(header.orElse("").strip());
        if (!one.matches() || one.group().equals("bytes=-")) {
            return new Whole();
        }
        return one.group(1).isEmpty()
                ? last(Long.parseLong(one.group(2)), size)
                : from(Long.parseLong(one.group(1)), one.group(2), size);
    }

    private static AskedRange last(long wanted, long size) {
        long length = Math.min(wanted, size);
        return length == 0 ? new Beyond() : new Part(new ByteRange(size - length, length));
    }

    private static AskedRange from(long first, String end, long size) {
        long last = end.isEmpty() ? Long.MAX_VALUE : Long.parseLong(end);
        if (last < first) {
            return new Whole(); // not a range at all
        }
        return first >= size ? new Beyond() : new Part(new ByteRange(first, Math.min(last, size - 1) - first + 1));
    }
}
